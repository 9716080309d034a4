import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { forFile } from "#test-kit/for-file.ts";
import { chargeback, registration, startCommandApi } from "../testing/command-api.fixture.ts";
import { PASSWORD } from "../testing/sessions.fixture.ts";
import { DEVICE_COOKIE } from "./device.store.ts";

const fixture = forFile(() => startCommandApi({ limits: "on", trustProxyHops: 1 }));
afterEach(() => void vi.useRealTimers());

const HOUR_MS = 3_600_000;
let networks = 0;
/** Sends each call from a different network, as an attacker with many would. */
function post(path: string, payload: object, cookie?: string) {
  networks += 1;
  const headers = { "x-forwarded-for": `198.18.${networks >> 8}.${networks & 255}` };
  return fixture.api.app.inject({
    method: "POST",
    url: `/prod/api/auth/${path}`,
    headers: { ...headers, ...(cookie ? { cookie } : {}) },
    payload,
  });
}
const register = (email: string) => post("register", registration(email));
const member = () => fixture.addAccount({ email: `${randomUUID()}@shop.example` });
async function linksOf(id: string): Promise<number> {
  await fixture.api.background.finish();
  const { rowCount } = await fixture.db.query(
    "select from event_log.event where stream = $1 and type = 'PasswordResetRequested'",
    [streams.user(id)],
  );
  return rowCount ?? 0;
}

describe("one mailbox, from many networks", () => {
  it("gets ten accounts a day, however its address is spelled", async () => {
    const name = randomUUID();
    for (let n = 0; n < 10; n += 1) {
      const email = n % 2 ? `${name}+${n}@shop.example` : `${name}@Shop.example`.toUpperCase();
      const made = await register(email);
      expect(made.statusCode, made.body).toBe(200);
    }
    const over = await register(`${name}@shop.example`);
    expect([over.statusCode, over.json().error.code]).toEqual([429, "too_many_requests"]);
    expect(Number(over.headers["retry-after"])).toBeGreaterThan(0);
    expect((await register(`${randomUUID()}@shop.example`)).statusCode).toBe(200);
  });

  it("is refused whether or not the address has an account", async () => {
    const { email } = await member();
    for (let n = 0; n < 10; n += 1) expect((await register(email)).statusCode).toBe(409);
    const over = await register(email);
    expect([over.statusCode, over.json().error.code]).toEqual([429, "too_many_requests"]);
  });

  it("gets twenty password links a day with the same answer, and a known browser is not limited", async () => {
    const { id, email } = await member();
    const signedIn = await post("login", { email, password: PASSWORD });
    const device = signedIn.cookies.find(({ name }) => name === DEVICE_COOKIE)?.value;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const answers = new Set<string>();
    for (let hour = 0; hour < 8; hour += 1) {
      // At most three links are valid at the same time, for an hour.
      vi.setSystemTime(Date.now() + HOUR_MS + 1);
      const three = [1, 2, 3].map(() => post("forgot-password", { email }));
      for (const { body } of await Promise.all(three)) answers.add(body);
      await fixture.api.background.finish();
    }
    expect(await linksOf(id)).toBe(20);
    expect([...answers]).toHaveLength(1);
    vi.setSystemTime(Date.now() + HOUR_MS + 1);
    await post("forgot-password", { email }, `${DEVICE_COOKIE}=${device}`);
    expect(await linksOf(id)).toBe(21);
  });

  it("gets ten corrected reports a day, counting only calls with the report's token", async () => {
    const name = randomUUID();
    const call = (url: string, payload: object) => {
      networks += 1;
      const headers = { "x-forwarded-for": `198.18.${networks >> 8}.${networks & 255}` };
      return fixture.api.app.inject({ method: "POST", url, headers, payload });
    };
    async function correct(email: string, forged?: string) {
      const body = { ...chargeback, reporter_email: "rae@shpo.example" };
      const { data } = (await call("/prod/api/reports/submit", body)).json();
      const token = forged ?? data.correction_token;
      return call(`/prod/api/reports/${data.id}/correct-address`, { token, email });
    }
    for (let n = 0; n < 12; n += 1)
      expect((await correct(`${name}@shop.example`, "forged")).statusCode).toBe(400);
    for (let n = 0; n < 10; n += 1)
      expect((await correct(`${name}+${n}@Shop.example`)).statusCode).toBe(200);
    const over = await correct(`${name}@shop.example`);
    expect([over.statusCode, over.json().error.code]).toEqual([429, "too_many_requests"]);
    expect((await correct(`${randomUUID()}@shop.example`)).statusCode).toBe(200);
  });
});
