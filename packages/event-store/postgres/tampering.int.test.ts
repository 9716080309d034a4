import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { verifyLog } from "../audit-verify.ts";
import { chainEvents, GENESIS_HASH } from "../batch.ts";
import { draft } from "../contract/fixtures.ts";
import { type EventStore, formatPosition } from "../port.ts";
import { freshLog, type PostgresLog } from "./postgres-log.fixture.ts";

describe("a log changed by its own administrator", () => {
  let log: PostgresLog;
  let store: EventStore;
  beforeEach(async () => {
    log = await freshLog();
    store = await log.open();
    for (const stream of ["report-1", "report-2"]) {
      const drafts = [0, 1, 2].map((n) => draft({ amount: 41_250 + n, city: "Zürich 👋" }));
      await store.append(stream, chainEvents(stream, 0, GENESIS_HASH, drafts), "no_stream");
    }
  });
  afterEach(async () => {
    await store.close();
    await log.dispose();
  });

  async function tamper(statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: log.url });
    await client.connect();
    await client.query("alter table event_log.event disable trigger append_only");
    await client.query(statement);
    await client.query("alter table event_log.event enable always trigger append_only");
    await client.end();
  }

  it("verifies while nothing was changed, even after its text was rewritten", async () => {
    expect(await verifyLog(store)).toMatchObject({ events: 6, streams: 2 });
    await tamper("update event_log.event set data = data::jsonb::json, metadata = metadata::jsonb");
    const result = await verifyLog(store);
    expect(result).toMatchObject({ events: 6, streams: 2 });
    expect(result.fault).toBeUndefined();
  });

  it.each([
    [
      "an amount",
      `update event_log.event set data = '{"amount":1,"city":"Zürich 👋"}' where position = 2`,
      2,
    ],
    [
      "one letter",
      "update event_log.event set data = replace(data::text, 'ü', 'u')::json where position = 5",
      5,
    ],
    [
      "who did it",
      `update event_log.event set metadata = replace(metadata::text, '"system"', '"admin"')::json where position = 4`,
      4,
    ],
    [
      "when it was",
      "update event_log.event set metadata = replace(metadata::text, '2026', '2025')::json where position = 6",
      6,
    ],
    ["its type", "update event_log.event set type = 'ThingDropped' where position = 3", 3],
    ["its id", "update event_log.event set id = gen_random_uuid() where position = 1", 1],
    ["its stream", "update event_log.event set stream = 'report-3' where position = 1", 1],
    ["all its metadata", "update event_log.event set metadata = 'null' where position = 2", 2],
  ])("is detected when %s is changed", async (_, statement, position) => {
    await tamper(statement);
    const fault = { position: formatPosition(BigInt(position)), reason: "wrong_hash" };
    expect((await verifyLog(store)).fault).toMatchObject(fault);
    expect((await verifyLog(store, { maxTips: 1 })).fault).toMatchObject(fault);
  });

  it("is detected when a whole stream is removed", async () => {
    await tamper("delete from event_log.event where stream = 'report-1'");
    expect((await verifyLog(store)).fault).toMatchObject({
      stream: "report-2",
      revision: 0,
      reason: "missing_position",
    });
  });

  it("is detected when an event is stored a second time", async () => {
    await tamper(`alter table event_log.event drop constraint event_stream_revision_key;
      insert into event_log.event
      select 7, gen_random_uuid(), stream, revision, type, data, metadata, size
      from event_log.event where position = 1`);
    const fault = { position: formatPosition(7n), reason: "wrong_revision" };
    expect((await verifyLog(store)).fault).toMatchObject(fault);
    expect((await verifyLog(store, { maxTips: 1 })).fault).toMatchObject(fault);
  });

  it("is detected when an event is removed", async () => {
    await tamper("delete from event_log.event where position = 2");
    expect((await verifyLog(store)).fault).toMatchObject({
      stream: "report-1",
      revision: 2,
      reason: "wrong_revision",
    });
  });

  it("is detected when an event is removed and the rest moved up", async () => {
    await tamper(`delete from event_log.event where position = 2;
      update event_log.event set revision = 1 where position = 3`);
    const { fault } = await verifyLog(store);
    expect(fault).toMatchObject({ stream: "report-1", revision: 1, reason: "wrong_hash" });
  });
});
