import { randomUUID } from "node:crypto";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { parseCheckpointMessage } from "#read-model/checkpoint-channel.ts";
import { PROCESSORS } from "#read-model/tables/processor.ts";
import { forTest } from "#test-kit/for-file.ts";
import { eventually } from "#test-kit/reached-position.ts";
import { reportApproved, reportSubmitted, verifiedByLink } from "#test-kit/report-events.ts";
import type { Projector } from "../composition.ts";
import { releaseReactions } from "../reactions/outbox/release.ts";
import { FAST, openFixture } from "../testing/projector.fixture.ts";
import { advanceCheckpoint, type Checkpoint, readCheckpoint, takeOwnership } from "./checkpoint.ts";
import { LayoutUpgrade } from "./layout-upgrade.ts";
import { Processor } from "./processor.ts";
import type { Projection } from "./projection.ts";

const fixture = forTest(openFixture);

const PROJECTED = ["reports", "offenders", "search"];

function healthOf(projector: Projector, name: string) {
  const health = projector.health().find(({ processor }) => processor === name);
  if (!health) throw new Error(`no processor ${name}`);
  return health;
}

async function stopped(projector: Projector, name: string, code: string): Promise<void> {
  await eventually(
    `${name} stops for ${code}`,
    () => healthOf(projector, name).stop?.code === code,
  );
}

/** Counts the logged lines with this message about a processor. */
function saidOf(name: string, message: string): number {
  return fixture.logged.filter(
    (line) => line.includes(`"processor":"${name}"`) && line.includes(`"msg":"${message}"`),
  ).length;
}

async function checkpointOf(name: string) {
  const [row] = await fixture.rows<{ position: string; generation: number }>(
    "select position, generation from processor.checkpoint where processor = $1",
    [name],
  );
  return row;
}

describe("a processor", () => {
  it("notifies listeners of every checkpoint, after the commit", async () => {
    const client = new pg.Client({ connectionString: fixture.config.databaseUrl });
    await client.connect();
    const seen: string[] = [];
    client.on("notification", ({ payload }) => {
      const message = parseCheckpointMessage(payload);
      if (message?.epoch === fixture.epoch && message.processor === "reports")
        seen.push(message.position);
    });
    await client.query("listen checkpoint");
    await fixture.start();
    const position = await fixture.report(randomUUID(), [reportSubmitted()]);
    await eventually("a notification", () => seen.includes(position));
    expect((await checkpointOf("reports"))?.position).toBe(position);
    await client.end();
  });

  it("is not stopped by a head that was read before the processor moved past it", async () => {
    const { stores, log } = fixture;
    const projection = stores.projections.find(({ name }) => name === "reports");
    const upgrade = new LayoutUpgrade({ ...stores, log });
    const deps = { ...stores, log, upgrade, projection: projection as Projection };
    const processor = new Processor(deps, FAST);
    processor.start();
    const before = await fixture.report(randomUUID(), [reportSubmitted()]);
    await fixture.reached(await fixture.report(randomUUID(), [reportSubmitted()]), ["reports"]);
    await processor.inspect(before, fixture.epoch);
    await fixture.reached(await fixture.report(randomUUID(), [reportSubmitted()]), ["reports"]);
    expect(saidOf("reports", "the processor stopped")).toBe(0);
    await processor.stop();
  });

  it("keeps its lease while other work holds every connection of the pool", async () => {
    const { stores, log } = fixture;
    const projection = stores.projections.find(({ name }) => name === "reports");
    const upgrade = new LayoutUpgrade({ ...stores, log });
    const deps = { ...stores, log, upgrade, projection: projection as Projection };
    const processor = new Processor(deps, FAST);
    processor.start();
    await eventually("it is live", () => processor.health().state === "live");
    const most = stores.pool.options.max as number;
    const held = await Promise.all(Array.from({ length: most }, () => stores.pool.connect()));
    const beats = async () => {
      const found = await held[0]?.query(
        "select beat_at::text from processor.lease where processor = 'reports'",
      );
      return found?.rows[0].beat_at;
    };
    const before = await beats();
    await eventually("a heartbeat", async () => (await beats()) !== before);
    for (const client of held) client.release();
    await processor.stop();
  });

  it("moves its checkpoint past events that it does not use", async () => {
    await fixture.start();
    const { position } = await fixture.writer.append(streams.user(randomUUID()), [
      { type: "PasswordReset", data: {} },
    ]);
    await fixture.reached(position);
    expect(await fixture.rows("select 1 from audit.entry where position = $1", [position])).toEqual(
      [{ "?column?": 1 }],
    );
  });

  it("resumes where it stopped, without loss or repetition", async () => {
    const first = await fixture.start();
    const id = randomUUID();
    await fixture.reached(await fixture.report(id, [reportSubmitted()]));
    await first.stop();
    const position = await fixture.report(id, [verifiedByLink(), reportApproved()]);
    const second = await fixture.start();
    await second.ready();
    await fixture.reached(position);
    expect(await fixture.rows("select status, revision from reports.report")).toEqual([
      { status: "approved", revision: 2 },
    ]);
    expect(healthOf(second, "reports").applied).toBe(2);
    expect(await fixture.rows("select kind from outbox.mail order by position")).toEqual([
      { kind: "verification" },
      { kind: "approved" },
    ]);
  });

  it("is ready once it has caught up, with its lag", async () => {
    await fixture.report(randomUUID(), [reportSubmitted()]);
    const projector = await fixture.start();
    await projector.ready();
    await eventually("ready", async () => (await projector.readiness()).status === "ready");
    const { checks } = await projector.readiness();
    expect(Object.keys(checks).toSorted()).toEqual(
      [...PROCESSORS, "shredder", "database", "keys", "event_log"].toSorted(),
    );
    expect(checks.reports?.detail).toMatchObject({ state: "live", lag: 0, parkedStreams: 0 });
    expect(await projector.registry.metrics()).toMatch(
      /projector_lag_positions\{processor="reports",service="projector"\} 0/,
    );
  });
});

describe("two concurrent projectors", () => {
  it("share the processors: one owns each, the other waits and takes over", async () => {
    const first = await fixture.start();
    await first.ready();
    const second = await fixture.start();
    await second.ready();
    expect(second.health().map(({ state }) => state)).toEqual(PROCESSORS.map(() => "standby"));
    expect((await second.readiness()).status).toBe("ready");
    await first.stop();
    const position = await fixture.report(randomUUID(), [reportSubmitted()]);
    await fixture.reached(position);
    expect(healthOf(second, "reports").applied).toBe(1);
  });

  it("never both write: an owner that lost its connection can't write with its old lease", async () => {
    const first = await fixture.start();
    await first.ready();
    const second = await fixture.start();
    await second.ready();
    for (let round = 0; round < 5; round += 1) {
      const terminated = await fixture.rows(
        `select pg_terminate_backend(pid) from processor.lease where processor = 'reports'`,
      );
      expect(terminated).toHaveLength(1);
      await fixture.reached(await fixture.report(randomUUID(), [reportSubmitted()]));
    }
    expect(await fixture.rows("select count(*) as n from reports.report")).toEqual([{ n: 5 }]);
    const applied = healthOf(first, "reports").applied + healthOf(second, "reports").applied;
    // LogStarted and five reports, each written by exactly one of the two.
    expect(applied).toBe(6);
  });

  it("take over from an owner without heartbeats, but not from a live one", async () => {
    const { pool } = fixture;
    const frozen = new pg.Client({ connectionString: fixture.config.databaseUrl });
    frozen.on("error", () => undefined);
    await frozen.connect();
    const {
      rows: [held],
    } = await frozen.query<{ pid: number }>(
      `select pg_advisory_lock(hashtextextended('processor:reports', 0)), pg_backend_pid() as pid`,
    );
    await pool.query(
      `insert into processor.lease values ('reports', gen_random_uuid(), $1, now() + interval '1 hour')`,
      [held?.pid],
    );
    const projector = await fixture.start();
    await projector.ready();
    expect(healthOf(projector, "reports").state).toBe("standby");
    // It keeps a transaction open, like a process that froze inside one.
    await frozen.query("begin");
    await frozen.query("select 1 from processor.checkpoint for update");
    await pool.query(
      "update processor.lease set beat_at = now() - interval '1 hour'  where processor = 'reports'",
    );
    const position = await fixture.report(randomUUID(), [reportSubmitted()]);
    await fixture.reached(position, ["reports"]);
    await expect(frozen.query("commit")).rejects.toThrow();
  });
});

describe("a processor stops, and moves nothing, when", () => {
  it("a key is missing; it resumes by itself once the key is back", async () => {
    const [before, without] = [randomUUID(), randomUUID()];
    const last = await fixture.report(before, [reportSubmitted()]);
    const position = await fixture.report(without, [reportSubmitted()]);
    const subject = subjects.personal(without);
    await fixture.rows(
      `create table spare as select * from keys.subject_key where subject = '${subject}'`,
    );
    await fixture.rows("delete from keys.subject_key where subject = $1", [subject]);
    const projector = await fixture.start();
    for (const name of PROJECTED) {
      await stopped(projector, name, "key_missing");
      expect((await checkpointOf(name))?.position).toBe(last);
    }
    await fixture.reached(position, ["audit", "outbox"]);
    // However often it retries, it keeps reporting the reason and never that it continues.
    const leases = new Set<string>();
    await eventually("some attempts", async () => {
      const [row] = await fixture.rows<{ token: string }>(
        "select token from processor.lease where processor = 'reports'",
      );
      if (row) leases.add(row.token);
      return leases.size > 3;
    });
    const waits = saidOf("reports", "another process owns the processor");
    expect(saidOf("reports", "the processor continues")).toBeLessThanOrEqual(1 + waits);
    expect(saidOf("reports", "the processor stopped")).toBeLessThanOrEqual(1 + waits);
    const { status, checks } = await projector.readiness();
    expect(status).toBe("not_ready");
    expect(checks.reports?.detail).toMatchObject({
      state: "stopped",
      code: "key_missing",
      cause: `the key ${subject} is missing: restore the key store`,
    });
    expect(await fixture.rows("select 1 from processor.parked_event")).toEqual([]);
    await fixture.rows("insert into keys.subject_key select * from spare");
    await fixture.reached(position);
    await eventually("all live", async () => (await projector.readiness()).status === "ready");
  });

  it("the log was restored; a rebuild and a release let it resume without a restart", async () => {
    const id = randomUUID();
    const projector = await fixture.start();
    await fixture.reached(await fixture.report(id, [reportSubmitted()]));
    await fixture.writer.append(streams.log, [{ type: "LogRestored", data: {} }]);
    const later = await fixture.report(randomUUID(), [reportSubmitted()]);
    for (const name of PROCESSORS) await stopped(projector, name, "epoch");
    expect(await fixture.rows("select count(*) as n from reports.report")).toEqual([{ n: 1 }]);
    await fixture.rebuild();
    await fixture.reached(later, [...PROJECTED, "audit"]);
    expect(await fixture.rows("select count(*) as n from reports.report")).toEqual([{ n: 2 }]);
    await releaseReactions(fixture.stores, "send");
    const next = await fixture.report(id, [reportApproved()]);
    await fixture.reached(next);
    await eventually("all live", () => projector.health().every(({ state }) => state === "live"));
    // The release skipped the earlier event's email. The next email is written.
    expect(await fixture.rows("select kind from outbox.mail order by position")).toEqual([
      { kind: "verification" },
      { kind: "approved" },
    ]);
  });

  it("its checkpoint is past the head of the log, even if that happens while it runs", async () => {
    const projector = await fixture.start();
    const keep = await fixture.report(randomUUID(), [reportSubmitted()]);
    await fixture.reached(await fixture.report(randomUUID(), [reportSubmitted()]));
    await fixture.rows("alter table event_log.event disable trigger user");
    await fixture.rows("delete from event_log.event where position > $1::bigint", [keep]);
    for (const name of PROCESSORS) await stopped(projector, name, "beyond_head");
    expect((await projector.readiness()).checks.audit?.ok).toBe(false);
  });

  it("one byte of its checkpoint was changed, running or not", async () => {
    const projector = await fixture.start();
    await fixture.reached(await fixture.report(randomUUID(), [reportSubmitted()]));
    await fixture.rows(
      `update processor.checkpoint set position = overlay(position placing '1' from 20)
       where processor = 'reports'`,
    );
    await stopped(projector, "reports", "checkpoint_damaged");
    await projector.stop();
    const again = await fixture.start();
    await stopped(again, "reports", "checkpoint_damaged");
    const stop = healthOf(again, "reports").stop;
    expect(stop?.message).toContain("npm run rebuild -- reports");
  });

  it("someone else moved its checkpoint", async () => {
    const projector = await fixture.start();
    await fixture.reached(await fixture.report(randomUUID(), [reportSubmitted()]));
    await fixture.rows("create table former as select * from processor.checkpoint");
    await fixture.reached(await fixture.report(randomUUID(), [reportSubmitted()]));
    await fixture.rows(
      `update processor.checkpoint c set position = f.position, checksum = f.checksum
       from former f where f.processor = c.processor and c.processor = 'offenders'`,
    );
    await stopped(projector, "offenders", "checkpoint_moved");
    await fixture.reached(await fixture.report(randomUUID(), [reportSubmitted()]), ["reports"]);
    expect(healthOf(projector, "offenders").stop?.code).toBe("checkpoint_moved");
  });

  it("another process took it over and moved on; it waits its turn and needs no rebuild", async () => {
    const projector = await fixture.start();
    await fixture.reached(await fixture.report(randomUUID(), [reportSubmitted()]));
    const { pool, epoch } = fixture;
    const held = (await readCheckpoint(pool, "reports")) as Checkpoint;
    const next = String(Number(held.position) + 1).padStart(20, "0");
    const client = await pool.connect();
    await client.query("begin");
    const token = randomUUID();
    await takeOwnership(client, "reports", token);
    await advanceCheckpoint(client, held, { position: next, epoch }, token);
    await client.query("commit");
    client.release();
    // It reads the checkpoint again, which is now ahead of the log.
    await stopped(projector, "reports", "beyond_head");
    expect(await fixture.report(randomUUID(), [reportSubmitted()])).toBe(next);
    await fixture.reached(await fixture.report(randomUUID(), [reportSubmitted()]));
    await eventually("live again", () => healthOf(projector, "reports").state === "live");
  });

  it("its checkpoint is missing although there are rows", async () => {
    const first = await fixture.start();
    await fixture.reached(await fixture.report(randomUUID(), [reportSubmitted()]));
    await first.stop();
    await fixture.rows("delete from processor.checkpoint where processor = 'reports'");
    const second = await fixture.start();
    await stopped(second, "reports", "checkpoint_missing");
  });

  it("its tables have no layout", async () => {
    await fixture.rows("comment on schema reports is null");
    const projector = await fixture.start();
    await stopped(projector, "reports", "layout");
    await fixture.rebuild(["reports"]);
    await fixture.reached(await fixture.report(randomUUID(), [reportSubmitted()]));
  });

  it("the log was not started; it waits for that", async () => {
    const empty = await openFixture({ startLog: false });
    try {
      const projector = await empty.start(FAST);
      await stopped(projector, "reports", "log_not_started");
      await empty.writer.startLog();
      await empty.reached(await empty.report(randomUUID(), [reportSubmitted()]));
    } finally {
      await empty.close();
    }
  });
});
