import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import {
  accountBanned,
  accountRegistered,
  emailConfirmed,
  link,
  profileEdited,
} from "#test-kit/account-events.ts";
import { forTest } from "#test-kit/for-file.ts";
import { failedSignInIndex } from "#vault/sealing/hashes.ts";
import { openFixture, type ProjectorFixture } from "../../testing/projector.fixture.ts";
import { forgetFailedSignIns } from "./users.projection.ts";

const fixture = forTest(openFixture);
let clock = Date.UTC(2026, 10, 21);

async function append(stream: string, events: Parameters<ProjectorFixture["writer"]["append"]>[1]) {
  clock += 1000;
  const time = new Date(clock).toISOString();
  return (await fixture.writer.append(stream, events, { time })).position;
}

const MONTH = subjects.security("2026-11");

/** @param account_id undefined for an address without an account. */
function failSignIn(account_id?: string): Promise<string> {
  const security = { email: "rae@shop.example", ...(account_id ? { account_id } : {}) };
  const cause = account_id ? "wrong_password" : "unknown_account";
  return append(streams.security(randomUUID()), [
    { type: "SignInFailed", data: { cause, security } },
  ]);
}

describe("the rows of users", () => {
  it("show no whole address or phone, and seal the reason of a ban", async () => {
    await fixture.start();
    const id = randomUUID();
    await append(streams.user(id), [accountRegistered({ link: link(randomUUID()) })]);
    const words = { first_name: "Rae", last_name: "Holt", phone: "+1 303 555 0142", bio: "Lamps" };
    await append(streams.user(id), [profileEdited(["phone", "bio"], words)]);
    const banned = accountBanned("2026-12-01T10:00:00.000Z", "Spammed");
    await fixture.reached(await append(streams.user(id), [banned]), ["users"]);
    const rows = await fixture.rows("select * from users.user");
    expect(rows).toMatchObject([
      {
        id,
        first_name: "Rae",
        email: "r***@***",
        email_blind: "keyed hash",
        phone: "(***) ***-****",
        status: "banned",
        facts_revision: 2,
        ban: { until: "2026-12-01T10:00:00.000Z", said: { event_type: "AccountBanned" } },
      },
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/rae@shop|555 0142|Spammed|Lamps/);
  });

  it("are removed with the account, even while its stream is parked", async () => {
    const id = randomUUID();
    await fixture.start();
    await append(streams.user(id), [accountRegistered({ link: link(randomUUID()) })]);
    await fixture.reached(
      await append(streams.user(id), [emailConfirmed(false, "link", randomUUID())]),
      ["users"],
    );
    expect(await fixture.rows("select id from users.user")).toEqual([{ id }]);
    await fixture.rows(
      `insert into processor.parked_stream (processor, stream, position)
       select 'users', 'user-' || id, '1' from users.user`,
    );
    const ended = await append(streams.user(id), [{ type: "AccountErased", data: {} }]);
    await fixture.reached(ended, ["users"]);
    expect(await fixture.rows("select id from users.user")).toEqual([]);
  });
});

describe("failed sign-ins", () => {
  const table = () => fixture.rows("select * from users.failed_sign_in order by position");

  it("are kept only for accounts, without the address, and found with the month's key", async () => {
    await fixture.start();
    const [id, other] = [randomUUID(), randomUUID()];
    await failSignIn();
    await failSignIn(id);
    await fixture.reached(await failSignIn(other), ["users"]);
    const lookup = (await fixture.stores.keys.get([MONTH])).get(MONTH);
    if (lookup?.state !== "present") throw new Error("the month has no key");
    const live = await table();
    expect(live).toMatchObject(
      [id, other].map((account) => ({
        cause: "wrong_password",
        account_index: failedSignInIndex(lookup.key, account),
      })),
    );
    expect(JSON.stringify(live)).not.toMatch(new RegExp(`${id}|${other}|shop`));
    await fixture.rebuild(["users"]);
    expect(await table()).toEqual(live);
  });

  it("are left out by a rebuild once their month's key is destroyed", async () => {
    await fixture.start();
    await fixture.reached(await failSignIn(randomUUID()), ["users"]);
    await fixture.stores.keys.destroy([MONTH], new Date(clock).toISOString());
    await fixture.rebuild(["users"]);
    expect(await table()).toEqual([]);
  });

  it("are removed once their month is no longer kept, however many there are", async () => {
    await fixture.start();
    for (let n = 0; n < 3; n += 1) await failSignIn(randomUUID());
    await fixture.reached(await failSignIn(randomUUID()), ["users"]);
    await fixture.rows(
      "update users.failed_sign_in set at = '2026-10-31T23:59:59Z' where position < (select max(position) from users.failed_sign_in)",
    );
    const { pool } = fixture.stores;
    await forgetFailedSignIns(pool, new Date("2027-01-31T00:00:00Z"));
    expect(await table()).toHaveLength(4);
    await forgetFailedSignIns(pool, new Date("2027-01-31T00:01:00Z"), 2);
    expect(await table()).toMatchObject([{ at: expect.any(Date) }]);
    expect((await table())[0]).not.toMatchObject({ at: new Date("2026-10-31T23:59:59Z") });
  });

  it("are removed by every process that starts", async () => {
    const first = await fixture.start();
    await fixture.reached(await failSignIn(randomUUID()), ["users"]);
    await first.stop();
    await fixture.rows("update users.failed_sign_in set at = '2020-01-31T23:59:59Z'");
    await fixture.start();
    await expect.poll(table, { timeout: 20_000 }).toEqual([]);
  });
});
