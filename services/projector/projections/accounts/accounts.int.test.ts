import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { accountRegistered, emailConfirmed, profileEdited } from "#test-kit/account-events.ts";
import { testSeed } from "#test-kit/config.ts";
import { forTest } from "#test-kit/for-file.ts";
import {
  type AccountStep,
  accountEvents,
  accountHistories,
  beginning,
} from "../../testing/account-histories.ts";
import {
  foldAccounts,
  readAccounts,
  readRegistrations,
  readUsers,
  registrationsByDay,
} from "../../testing/account-oracle.ts";
import { FAST, openFixture, type ProjectorFixture } from "../../testing/projector.fixture.ts";

const ENDINGS = ["AccountErased", "AccountExpired", "AccountReplaced"];

const fixture = forTest(openFixture);
let clock = Date.UTC(2026, 10, 21);

async function append(stream: string, events: Parameters<ProjectorFixture["writer"]["append"]>[1]) {
  clock += 4 * 3_600_000;
  const time = new Date(clock).toISOString();
  return (await fixture.writer.append(stream, events, { time })).position;
}

function signIn(account_id: string): Promise<string> {
  const expires_at = "2027-01-01T00:00:00.000Z";
  const how = { method: "password", device: "known", account_revision: 0 } as const;
  const data = { account_id, ...how, expires_at };
  return append(streams.session(randomUUID()), [{ type: "SessionStarted", data }]);
}

/** Appends a history. Keys are destroyed right after an account ends. */
async function write(steps: readonly AccountStep[]): Promise<string> {
  const ids = new Map<number, string>();
  const over = new Set<string>();
  const closed = new Set<string>();
  let position = "";
  for (const step of steps) {
    let id = ids.get(step.account);
    if (!id) {
      id = randomUUID();
      ids.set(step.account, id);
      position = await append(streams.user(id), [beginning(step.number)]);
    }
    if (over.has(id)) continue;
    if (step.action === "sign-in") position = await signIn(id);
    for (const event of accountEvents(step)) {
      // The decider refuses an undo if staff closed the account.
      if (event.type === "EmailChangeUndone" && closed.has(id)) continue;
      if (event.type === "AccountClosed" && event.data.by === "admin") closed.add(id);
      position = await append(streams.user(id), [event]);
      if (!ENDINGS.includes(event.type)) continue;
      over.add(id);
      await fixture.stores.keys.destroy([subjects.account(id)], new Date(clock).toISOString());
    }
  }
  return position;
}

async function compare(): Promise<number> {
  const { stores, rows } = fixture;
  const found = await readAccounts(rows, stores.keys);
  const { accounts, users } = await foldAccounts(stores.store, stores.keys);
  expect(found).toEqual(accounts);
  expect(await readRegistrations(rows)).toEqual(registrationsByDay(accounts));
  expect(await readUsers(rows)).toEqual(users);
  const counted = await rows<{ line: string }>(
    "select status || ' ' || role || ' ' || accounts as line from users.figure_standing",
  );
  const kinds = users.map(({ status, role }) => `${status} ${role}`);
  expect(counted.map(({ line }) => line).toSorted()).toEqual(
    [...new Set(kinds)]
      .map((each) => `${each} ${kinds.filter((one) => one === each).length}`)
      .toSorted(),
  );
  return Math.min(found.length, users.length);
}

const NAMES = ["accounts", "users"];

describe("the rows of accounts and users", () => {
  it("equal the fold of the log, live and after a rebuild", async () => {
    const seed = testSeed();
    const period = fc.record({
      lanes: fc.array(accountHistories, { minLength: 1, maxLength: 3 }),
      batchSize: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(500)),
      follows: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(period, async ({ lanes, batchSize, follows }) => {
        const settings = { ...FAST, batchSize };
        const early = follows ? await fixture.start(settings) : undefined;
        const last = (await Promise.all(lanes.map(write))).toSorted().at(-1) ?? "";
        const projector = early ?? (await fixture.start(settings));
        await fixture.reached(last, NAMES);
        await compare();
        await projector.stop();
      }),
      { numRuns: 8, endOnFailure: true, ...(seed === undefined ? {} : { seed }) },
    );
    await fixture.start();
    await fixture.rebuild(NAMES, { batchSize: 11 });
    expect(await compare()).toBeGreaterThan(10);
    expect(await fixture.rows("select * from processor.parked_event")).toEqual([]);
  }, 120_000);

  it("are rebuilt without the accounts' keys", async () => {
    await fixture.start();
    const id = randomUUID();
    await append(streams.user(id), [accountRegistered({ link: someLink() })]);
    const edited = profileEdited(["bio"], { first_name: "Rae", bio: "Sells lamps" });
    await fixture.reached(await append(streams.user(id), [edited]), ["accounts"]);
    const before = await fixture.rows("select * from accounts.account");
    await fixture.rows("delete from keys.subject_key");
    await fixture.rebuild(["accounts"]);
    expect(await fixture.rows("select * from accounts.account")).toEqual(before);
    expect(JSON.stringify(before)).not.toContain("Sells lamps");
  });

  it("contain no name from before a confirmation that dropped everything", async () => {
    await fixture.start();
    const id = randomUUID();
    await append(streams.user(id), [accountRegistered({ link: someLink() })]);
    const confirmed = emailConfirmed(true, "link", randomUUID());
    const position = await append(streams.user(id), [confirmed]);
    await fixture.reached(position, ["accounts"]);
    const [row] = await fixture.rows<Record<string, unknown>>("select * from accounts.account");
    expect(row).toMatchObject({ profile: null, confirmed: true, owns_after: position });
    expect(row?.address).toMatchObject({ event_type: "EmailConfirmed" });
  });

  it("keep nothing that can be opened once the account has ended, even while its stream is parked", async () => {
    const id = randomUUID();
    await fixture.start();
    await append(streams.user(id), [accountRegistered({ link: someLink() })]);
    await fixture.reached(await signIn(id), ["accounts"]);
    await fixture.rows(
      `insert into processor.parked_stream (processor, stream, position)
       select 'accounts', 'user-' || id, '1' from accounts.account`,
    );
    const ended = await append(streams.user(id), [{ type: "AccountErased", data: {} }]);
    await fixture.reached(ended, ["accounts"]);
    const rows = await fixture.rows("select * from accounts.account");
    expect(rows).toMatchObject([
      { id, status: "erased", profile: null, address: null, last_sign_in_at: null },
    ]);
  });
});

function someLink() {
  return { link_id: randomUUID(), expires_at: "2026-11-22T10:00:00.000Z" };
}
