import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBlindIndexer } from "#vault/sealing/blind-index.ts";
import { registryCodec } from "#vault/sealing/registry-codec.ts";
import { newEnvelope, systemCaller } from "../kernel/envelope.ts";
import { CommandHandler } from "../kernel/handler.ts";
import { chargeback, type Fixture, startCommandApi } from "../testing/command-api.fixture.ts";
import { approveBySystem, SUBMIT } from "../testing/reports.fixture.ts";
import { someAddress, takenDown } from "../testing/strikes.fixture.ts";
import { RepeatInfringers } from "./repeat-infringers.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startCommandApi();
});
afterAll(() => fixture.close());

const byHand = () => systemCaller(new Date().toISOString());

/** The rule, where staff ban the account by hand after it was looked at and before the rule decides. */
async function withBanMeanwhile(): Promise<RepeatInfringers> {
  const { store, keys, strikes, reports, standings } = fixture.api;
  let isFirst = true;
  const meanwhile = async (id: string) => {
    if (!isFirst) return;
    isFirst = false;
    await standings.ban(id, { reason: "By hand" }, newEnvelope(byHand()));
  };
  return new RepeatInfringers({
    handler: new CommandHandler({ store, keys, codec: registryCodec }),
    store,
    keys,
    blind: createBlindIndexer(await keys.serviceKey("blind-index")),
    strikes,
    reports,
    standings: {
      async ban(id, ...rest) {
        await meanwhile(id);
        return standings.ban(id, ...rest);
      },
      async unban(id, ...rest) {
        await meanwhile(id);
        return standings.unban(id, ...rest);
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

describe("an account that staff ban at the moment", () => {
  it("stays banned where a notice is lifted, and is not freed sooner where one is granted", async () => {
    const [first, second] = [await reportOfAccount(), await reportOfAccount()];
    await takenDown(fixture, first);
    const notice = await takenDown(fixture, second);
    const account = (await fixture.api.reports.load(second))?.warnings[0]?.account_id ?? "";
    const banOf = async () =>
      (
        await fixture.db.query("select status, banned_until from command.account where id = $1", [
          account,
        ])
      ).rows;
    expect(await banOf()).toEqual([{ status: "banned", banned_until: expect.any(Date) }]);
    await (await withBanMeanwhile()).lift(notice, second, byHand());
    expect(await banOf()).toEqual([{ status: "banned", banned_until: null }]);

    await fixture.api.standings.unban(account, newEnvelope(byHand()));
    await (await withBanMeanwhile()).warn(notice, [second], byHand());
    expect(await banOf()).toEqual([{ status: "banned", banned_until: null }]);
  });
});
