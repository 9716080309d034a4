import { describe, expect, it } from "vitest";
import type { UserEvent } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { type AccountState, evolveAccount } from "#contracts/events/user/account-fold.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { accountRegistered, roleChanged } from "#test-kit/account-events.ts";
import { maySharePerson } from "../account/role-grants.ts";
import type { Folded, HistoryEntry } from "../kernel/handler.ts";
import { ConflictOfInterest } from "./own-account.ts";

const NOW = "2026-11-28T12:00:00.000Z";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ago = (ms: number) => new Date(Date.parse(NOW) - ms).toISOString();

/** Actor, age in milliseconds, and event. */
type Step = readonly [by: string, msAgo: number, event: UserEvent];

const added = (name = "Ida Nyberg"): UserEvent => {
  const [first_name = "", last_name = ""] = name.split(" ");
  const blind = { email: "keyed hash" };
  const account = { email: "ida@registry.example", first_name, last_name, blind };
  return { type: "AccountAdded", data: { role: "admin", account } };
};
const renamed = (name: string): UserEvent => {
  const [first_name = "", last_name = ""] = name.split(" ");
  return {
    type: "ProfileEdited",
    data: { fields: ["first_name"], account: { first_name, last_name } },
  };
};
const user = accountRegistered();

/** A user whom each of these made an admin in turn, with a demotion before each later grant. */
const madeBy = (...grants: readonly (readonly [by: string, msAgo: number])[]): Step[] => [
  ["visitor", 200 * DAY_MS, user],
  ...grants.flatMap(([by, msAgo], i): Step[] => [
    ...(i === 0 ? [] : [[by, msAgo, roleChanged("admin", "user")] as const]),
    [by, msAgo, roleChanged("user", "admin")],
  ]),
];
const byOperator: Step[] = [["system", HOUR_MS, added()]];

function registry(accounts: Readonly<Record<string, readonly Step[]>>, submittedBy = "visitor") {
  const handler = {
    history: async <S>({ stream }: Folded<S>) => {
      const past: HistoryEntry<AccountState>[] = [];
      for (const [by, msAgo, event] of accounts[stream.replace(/^user-/, "")] ?? []) {
        const state = evolveAccount(past.at(-1)?.state, event);
        const actor = { id: by, role: by === "system" ? "system" : "admin" };
        past.push({ state, metadata: { actor, time: ago(msAgo) } as HistoryEntry<S>["metadata"] });
      }
      return past as unknown as readonly HistoryEntry<S>[];
    },
    first: async () => ({ metadata: { actor: { id: submittedBy } } }) as StoredEvent,
  };
  const own = new ConflictOfInterest({ handler, blind: (_, value) => value });
  return {
    concerns: (by: string, report: Partial<ReportState> = {}) =>
      own.concerns("r", { erased: false, ...report } as ReportState, {
        actor: { id: by, role: "admin" },
        now: NOW,
      }),
    sharePerson: (a: string, b: string) => maySharePerson(a, b, NOW, handler),
  };
}

const about = (first_name: string, last_name: string) =>
  ({ personal: { first_name, last_name } }) as Partial<ReportState>;

describe("a report that concerns whoever gave a moderator their role", () => {
  it.each([
    ["less than 24 hours ago", { b: madeBy(["a", DAY_MS - 1]) }, true],
    ["24 hours ago", { b: madeBy(["a", DAY_MS]) }, false],
    ["before another admin gave it again", { b: madeBy(["a", 2 * HOUR_MS], ["x", HOUR_MS]) }, true],
    [
      "through an account in between",
      { b: madeBy(["c", HOUR_MS]), c: madeBy(["a", HOUR_MS]) },
      true,
    ],
    [
      "long ago, through an account in between",
      { b: madeBy(["c", HOUR_MS]), c: madeBy(["a", DAY_MS]) },
      false,
    ],
    ["by each other", { b: madeBy(["c", HOUR_MS]), c: madeBy(["b", HOUR_MS]) }, false],
    [
      "not by the person who only edited their profile",
      { b: madeBy(["x", 2 * DAY_MS]).concat([["a", HOUR_MS, renamed("B D")]]) },
      false,
    ],
    ["by the operator", { b: byOperator }, false],
  ])("is off limits to the moderator if granted: %s", async (_, accounts, expected) => {
    const { concerns } = registry({ a: byOperator, ...accounts }, "a");
    expect(await concerns("a")).toBe(true);
    expect(await concerns("b")).toBe(expected);
  });

  it("includes reports that name them or that they claimed", async () => {
    const named = registry({ a: [["system", DAY_MS, added("Ann Oakhurst")]], b: madeBy(["a", 1]) });
    expect(await named.concerns("b", about("Ann", "Oakhurst"))).toBe(true);
    expect(await named.concerns("b", { claimed_by: "a" })).toBe(true);
    expect(await named.concerns("b", about("Bob", "Oakhurst"))).toBe(false);
  });
});

describe("a previous name of an account", () => {
  const oakhurst = about("Ann", "Oakhurst");
  const since = (msAgo: number, ...more: Step[]) =>
    registry({
      a: [
        ["system", 300 * DAY_MS, added("Ann Oakhurst")],
        ["a", msAgo, renamed("Pat Orr")],
        ...more,
      ],
    });

  it.each([
    ["a minute", since(60_000), true],
    ["90 days", since(90 * DAY_MS), true],
    ["more than 90 days", since(90 * DAY_MS + 1), false],
    ["some days, after another one", since(9 * DAY_MS, ["a", DAY_MS, renamed("Eve Fox")]), true],
  ])("counts for 90 days: %s", async (_, { concerns }, expected) => {
    expect(await concerns("a", oakhurst)).toBe(expected);
    expect(await concerns("a", about("Nia", "Field"))).toBe(false);
  });
});

describe("a second opinion", () => {
  it("needs accounts that can't belong to one person", async () => {
    const { sharePerson } = registry({
      a: byOperator,
      x: byOperator,
      b: madeBy(["a", HOUR_MS]),
      c: madeBy(["a", HOUR_MS]),
      old: madeBy(["a", DAY_MS]),
    });
    for (const [one, other] of [
      ["a", "a"],
      ["a", "b"],
      ["b", "a"],
      ["b", "c"],
    ] as const)
      expect(await sharePerson(one, other)).toBe(true);
    for (const [one, other] of [
      ["a", "x"],
      ["x", "b"],
      ["a", "old"],
      ["b", "old"],
    ] as const)
      expect(await sharePerson(one, other)).toBe(false);
  });
});
