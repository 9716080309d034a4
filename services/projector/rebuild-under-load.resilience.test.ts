import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { forTest } from "#test-kit/for-file.ts";
import { seededRandom } from "#test-kit/random.ts";
import { eventually } from "#test-kit/reached-position.ts";
import { rebuild } from "./rebuild.ts";
import { expectRowsOfTheLog, foldLog, readTables } from "./testing/oracle.ts";
import { openFixture } from "./testing/projector.fixture.ts";
import { type ProjectorProcess, startRebuild } from "./testing/projector-process.ts";

/** Number of people that the reports are about. */
const PERSONS = 7;
const READS = 1000;

const fixture = forTest(openFixture);
let process: Pick<ProjectorProcess, "child" | "kill"> | undefined;

afterEach(async () => {
  await process?.kill();
  process = undefined;
});

const fill = (count: number) => fixture.fill(count, PERSONS);

/** Schemas that a rebuild has created or left behind. */
async function unfinished(): Promise<string[]> {
  const rows = await fixture.rows<{ name: string }>(
    "select nspname as name from pg_namespace where nspname ~ '_(next|old)$' order by 1",
  );
  return rows.map(({ name }) => name);
}

function rebuildable() {
  return fixture.stores.projections.filter((projection) => projection.rebuild);
}

/** Values that only grow: rows and positions of every table, and the checkpoints. */
const GROWING = `
  select (select count(*) from reports.report) as reports,
    (select count(*) from search.documents) as documents,
    (select count(*) from audit.entry) as entries,
    (select count(*) from offenders.member) as members,
    (select sum(report_count) from offenders.person) as grouped,
    (select max(position) from reports.report) as report_position,
    (select max(position) from audit.entry) as entry_position,
    (select max(position) from processor.checkpoint where processor = 'reports') as reports_at,
    (select max(position) from processor.checkpoint where processor = 'offenders') as offenders_at,
    (select max(position) from processor.checkpoint where processor = 'search') as search_at,
    (select max(position) from processor.checkpoint where processor = 'audit') as audit_at,
    (select count(*) from offenders.person) as persons`;

/** Reads repeatedly until stopped, and records every value that shrinks and every failure. */
class Reader {
  readonly failures: unknown[] = [];
  reads = 0;
  #stopped = false;

  async run(): Promise<void> {
    const client = new pg.Client({ connectionString: fixture.config.databaseUrl });
    await client.connect();
    let before: Record<string, string> = {};
    while (!this.#stopped) {
      try {
        // A named statement keeps its plan across the swap.
        const { rows } = await client.query({ name: "growing", text: GROWING });
        const [now] = rows;
        for (const [what, value] of Object.entries(before))
          if (isLess(now[what], value)) this.failures.push({ what, value, now: now[what] });
        if (Number(now.persons) !== PERSONS) this.failures.push({ persons: now.persons });
        before = now;
        this.reads += 1;
      } catch (error) {
        this.failures.push(error);
      }
    }
    await client.end();
  }

  stop(): void {
    this.#stopped = true;
  }
}

/** Counts are unpadded text, while positions are padded to the same length. */
function isLess(now: string | null, before: string): boolean {
  return (
    now === null || now.length < before.length || (now.length === before.length && now < before)
  );
}

describe("a rebuild under write load", () => {
  it("shows no reader an empty, missing or older table in 1,000 reads", async () => {
    await fixture.start();
    await fixture.reached(await fill(120));
    const { stores, log } = fixture;
    let done = false;
    const writer = async () => {
      let position = "";
      while (!done) position = await fill(PERSONS);
      return position;
    };
    const readers = [new Reader(), new Reader()];
    const reading = readers.map((reader) => reader.run());
    const writing = writer();
    const reads = () => readers.reduce((sum, reader) => sum + reader.reads, 0);
    let rounds = 0;
    const before = reads();
    try {
      while (reads() - before < READS || rounds < 3) {
        await rebuild({ ...stores, log, batchSize: 50 }, rebuildable());
        rounds += 1;
      }
    } finally {
      for (const reader of readers) reader.stop();
      await Promise.all(reading);
      done = true;
      await writing;
    }
    await fixture.reached(await writing);
    for (const { failures } of readers) expect(failures).toEqual([]);
    await expectRowsOfTheLog(fixture);
    expect(await unfinished()).toEqual([]);
    const generations = await fixture.rows(
      "select processor, generation from processor.checkpoint order by processor",
    );
    expect(generations).toEqual([
      { processor: "accounts", generation: rounds },
      { processor: "audit", generation: rounds },
      { processor: "content", generation: rounds },
      { processor: "inquiries", generation: rounds },
      { processor: "offenders", generation: rounds },
      { processor: "outbox", generation: 0 },
      { processor: "reports", generation: rounds },
      { processor: "search", generation: rounds },
      { processor: "settings", generation: rounds },
      { processor: "users", generation: rounds },
    ]);
  }, 180_000);

  it("killed halfway leaves the live tables unchanged, and can be restarted", async () => {
    const random = seededRandom("a rebuild that is killed");
    const projector = await fixture.start();
    const count = 150;
    await fixture.reached(await fill(count));
    await projector.stop();
    const before = await readTables((text) => fixture.rows(text));
    for (let kill = 0; kill < 3; kill += 1) {
      const goal = random.between(1, count);
      // Keeps the rebuild from swapping before it is killed.
      const holder = await fixture.pool.connect();
      await holder.query("begin");
      await holder.query("select from processor.checkpoint for update");
      process = startRebuild(fixture);
      while ((await newRows()) < goal) await delay(2);
      await process.kill();
      await holder.query("rollback");
      holder.release();
      await eventually("its connections are gone", async () => (await connections()) === 0);
      // Killed halfway: new tables exist beside the live ones, which are unchanged.
      expect(await unfinished()).toContain("reports_next");
      expect(await readTables((text) => fixture.rows(text)), `killed at ${goal}`).toEqual(before);
      expect(await fixture.rows("select distinct generation from processor.checkpoint")).toEqual([
        { generation: 0 },
      ]);
    }
    // Again, while a projector runs.
    await fixture.start();
    const filling = fill(20);
    process = startRebuild(fixture);
    expect(await once(process.child, "exit")).toEqual([0, null]);
    await fixture.reached(await filling);
    expect(await unfinished()).toEqual([]);
    await expectRowsOfTheLog(fixture);
    const { stores } = fixture;
    expect(await foldLog(stores.store, stores.keys)).not.toEqual(before);
  }, 180_000);
});

/** Counts the reports in the new tables; none until the tables exist. */
async function newRows(): Promise<number> {
  const there = await fixture.rows("select 1 where to_regclass('reports_next.report') is not null");
  if (there.length === 0) return 0;
  const [row] = await fixture
    .rows<{ n: number }>("select count(*)::int as n from reports_next.report")
    // A rebuild that starts drops what an earlier one left behind.
    .catch(() => []);
  return row?.n ?? 0;
}

async function connections(): Promise<number> {
  const rows = await fixture.rows(
    `select 1 from pg_stat_activity
     where datname = current_database() and application_name = 'projector rebuild'`,
  );
  return rows.length;
}
