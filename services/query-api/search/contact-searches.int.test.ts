import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { CONTACT_SEARCHES_USED } from "#contracts/http/search-messages.ts";
import { START } from "#event-store/port.ts";
import { limitClasses } from "#http/limits.ts";
import { at, type Fixture, startQueryApi } from "../testing/query-api.fixture.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 24 * 3_600_000;

let service: Fixture;
beforeAll(async () => {
  service = await startQueryApi({ limits: "on" });
  await service.moveTo(5);
  vi.useFakeTimers({ toFake: ["Date"], now: NOON });
});
afterAll(async () => {
  vi.useRealTimers();
  await service.close();
});

const search = (q: string, account: string, ip = "198.51.100.1") =>
  service.get(`/prod/api/reports/search?${new URLSearchParams({ q })}`, { as: { account }, ip });
const wait = (ms: number) => vi.setSystemTime(Date.now() + ms);
/** The n-th address, each on a different network. */
const network = (n: number) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;

/** An account with an approved report of its own, confirmed long ago. */
async function inGoodStanding(columns: Record<string, unknown> = {}): Promise<string> {
  const account = await service.addAccount(columns);
  await service.addReport({ status: "approved", owner_id: account, owned_since: at(4) });
  return account;
}

/** The number of answered searches for different addresses, each from another network. */
async function answered(account: string, times: number, first = 0): Promise<number> {
  let count = 0;
  for (let n = first; n < first + times; n += 1) {
    wait(6_000);
    const { statusCode } = await search(`a${n}@mail.example`, account, network(n));
    expect([200, 429]).toContain(statusCode);
    if (statusCode === 200) count += 1;
  }
  return count;
}

describe("daily searches by email and phone", () => {
  it("are limited to 300 for an account in good standing", async () => {
    const account = await inGoodStanding();
    const limit = { ...limitClasses.contact_search.account, whenUnavailable: "memory" } as const;
    const { counters } = service.api.app.limits;
    for (let n = 0; n < 290; n += 1)
      expect(await counters.hit({ ...limit, name: "contact_search:account" }, account)).toBe(0);
    expect(await answered(account, 13)).toBe(10);
    wait(6_000);
    const refused = await search("one.more@mail.example", account);
    expect(refused.json().error.message).toBe(CONTACT_SEARCHES_USED);
    wait(DAY_MS);
    expect(await answered(account, 1)).toBe(1);
  });

  it.each([
    ["was confirmed twenty days ago", { confirmed_at: new Date(NOON - 20 * DAY_MS) }, {}],
    ["has no approved report", {}, { status: "pending" }],
    ["sent its report before a confirmation that dropped it", { owns_after: at(4) }, {}],
  ])("are limited to five for an account that %s", async (_why, account, report) => {
    const id = await service.addAccount({ owns_after: START, ...account });
    await service.addReport({ status: "approved", owner_id: id, owned_since: at(4), ...report });
    expect(await answered(id, 8, 1000)).toBe(5);
  });

  it("depend on good standing, which the profile shows", async () => {
    const says = async (account: string) => {
      const reply = await service.get("/prod/api/auth/profile", { as: { account } });
      return reply.json().data.user.in_good_standing;
    };
    expect(await says(await inGoodStanding())).toBe(true);
    expect(await says(await service.addAccount())).toBe(false);
  });

  it("are limited across all new accounts on a network, in IPv6 by /56 and /48", async () => {
    const from = async (address: (n: number) => string, times: number) => {
      let count = 0;
      for (let n = 0; n < times; n += 1) {
        if (n % 5 === 0) account = await service.addAccount({ confirmed_at: new Date(NOON) });
        const { statusCode } = await search(`b${n}@mail.example`, account, address(n));
        if (statusCode === 200) count += 1;
      }
      return count;
    };
    let account = "";
    expect(await from(() => "203.0.113.9", 60)).toBe(50);
    expect(await from((n) => `2001:db8:1:2${(n % 256).toString(16).padStart(2, "0")}::1`, 60)).toBe(
      50,
    );
    expect(await from((n) => `2001:db8:2:${(n * 256).toString(16)}::1`, 110)).toBe(100);
  });

  it("are limited to five with one name, in any word order, across all accounts and networks", async () => {
    const ask = async (q: string, n: number) => {
      const account = await service.addAccount({ confirmed_at: new Date(NOON) });
      return (await search(q, account, network(5000 + n))).statusCode;
    };
    const names = ["Zara Fenwickson", "fenwickson, ZARA", "zara fenwickson"];
    for (let n = 0; n < 5; n += 1)
      expect(await ask(`${names[n % 3]} zara${n}@mail.example`, n)).toBe(200);
    expect(await ask("Zara Fenwickson zara9@mail.example", 6)).toBe(429);
    expect(await ask("Zara Fenwickson +1 303 555 0177", 7)).toBe(429);
    // Repeats reveal nothing new, and other names have their own count.
    expect(await ask("Zara Fenwickson zara0@mail.example", 8)).toBe(200);
    expect(await ask("Otto Fenwickson zara9@mail.example", 9)).toBe(200);
  });
});
