import { beforeAll, describe, expect, it } from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import { createBlindIndexer } from "#vault/sealing/hashes.ts";
import { newEnvelope, systemCaller } from "../kernel/envelope.ts";
import { CommandHandler } from "../kernel/handler.ts";
import { chargeback, startCommandApi } from "../testing/command-api.fixture.ts";
import { approveBySystem, SUBMIT } from "../testing/reports.fixture.ts";
import { someAddress, takenDown } from "../testing/strikes.fixture.ts";
import { RepeatInfringers } from "./repeat-infringers.ts";

const fixture = forFile(() => startCommandApi());
/** All of one account. */
const reports: string[] = [];
beforeAll(async () => {
  while (reports.length < 3) reports.push(await reportOfAccount());
});

const byHand = () => systemCaller(new Date().toISOString());

/** The rule, with a ban by staff between its read of the account and its decision. */
async function withBanMeanwhile(): Promise<RepeatInfringers> {
  const { store, keys, strikes, reports, accountModeration } = fixture.api;
  let isFirst = true;
  const meanwhile = async (id: string) => {
    if (!isFirst) return;
    isFirst = false;
    await accountModeration.ban(id, { reason: "By hand" }, newEnvelope(byHand()));
  };
  return new RepeatInfringers({
    handler: new CommandHandler({ store, keys, codec: registryCodec }),
    store,
    keys,
    blind: createBlindIndexer(await keys.serviceKey("blind-index")),
    strikes,
    reports,
    accountModeration: {
      async ban(id, ...rest) {
        await meanwhile(id);
        return accountModeration.ban(id, ...rest);
      },
      async unban(id, ...rest) {
        await meanwhile(id);
        return accountModeration.unban(id, ...rest);
      },
    },
  });
}

async function reportOfAccount(): Promise<string> {
  const body = { ...chargeback, reporter_email: someAddress() };
  const answer = await fixture.call("POST", SUBMIT, { body, as: "user" });
  expect(answer.statusCode, answer.body).toBe(200);
  const { id } = answer.json().data;
  await approveBySystem(fixture, id);
  return id;
}

async function accountOf(report: string) {
  return (await fixture.api.reports.load(report))?.warnings[0]?.account_id ?? "";
}
async function banOf(account: string) {
  const row = "select status, banned_until from command.account where id = $1";
  return (await fixture.db.query(row, [account])).rows;
}

describe("an account that staff ban concurrently", () => {
  it("stays banned if a notice is lifted, and keeps the longer ban if one is granted", async () => {
    const [first = "", second = ""] = reports;
    await takenDown(fixture, first);
    const notice = await takenDown(fixture, second);
    const account = await accountOf(second);
    expect(await banOf(account)).toEqual([{ status: "banned", banned_until: expect.any(Date) }]);
    await (await withBanMeanwhile()).lift(notice, second, byHand());
    expect(await banOf(account)).toEqual([{ status: "banned", banned_until: Infinity }]);

    await fixture.api.accountModeration.unban(account, newEnvelope(byHand()));
    await (await withBanMeanwhile()).warn(notice, [second], byHand());
    expect(await banOf(account)).toEqual([{ status: "banned", banned_until: Infinity }]);
  });
});

it("a closed account is banned while its owner can still restore it", async () => {
  const { closing, accountModeration } = fixture.api;
  const account = await accountOf(reports[0] ?? "");
  await accountModeration.unban(account, newEnvelope(byHand()));
  const at = new Date().toISOString();
  const erase_at = new Date(Date.now() + 7 * 24 * 3_600_000).toISOString();
  await closing.restore(account, { hidden: `user-${account}`, erase_at, at }, byHand());
  expect(await banOf(account)).toEqual([{ status: "closed", banned_until: null }]);
  await takenDown(fixture, reports[2] ?? "");
  expect(await banOf(account)).toEqual([{ status: "closed", banned_until: expect.anything() }]);
});
