import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readModelTypes } from "#read-model/database.ts";
import { PROCESSORS, type ProcessorName } from "#read-model/tables/processor.ts";
import { forFile } from "#test-kit/for-file.ts";
import { type Random, seededRandom } from "#test-kit/random.ts";
import { eventually } from "#test-kit/reached-position.ts";
import {
  reportApproved,
  reportDeleted,
  reportErased,
  reportSubmitted,
} from "#test-kit/report-events.ts";
import { History, histories } from "./testing/histories.ts";
import {
  type Expected,
  foldEvents,
  type ReadEvent,
  readLog,
  readTables,
} from "./testing/oracle.ts";
import { FAST, openFixture, type ProjectorFixture } from "./testing/projector.fixture.ts";
import { type ProjectorProcess, startProcess } from "./testing/projector-process.ts";

const EVENTS = 5000;
/** Twenty kills: four rounds from the first event on, with five kills each along the way. */
const [ROUNDS, KILLS_A_ROUND] = [4, 5];
/** Kills are aimed at this part of the log, because the process advances after it is observed. */
const FAR = 0.8;
/** Small enough that the log has about fifty batches. */
const BATCH_SIZE = 100;

const fixture = forFile(openFixture);
let random: Random;
let log: readonly ReadEvent[];
let last: string;
let victim: ProjectorProcess | undefined;

beforeAll(async () => {
  random = seededRandom("a projector that is killed");
  last = await writeBatch();
  log = await readLog(fixture.stores.store, fixture.stores.keys);
}, 120_000);
afterAll(async () => {
  await victim?.kill();
});

/** Appends histories of many reports, some deleted at the end: 5,000 events in all. */
async function writeBatch(): Promise<string> {
  let left = EVENTS;
  let position = "";
  const write = async (id: string, events: Parameters<ProjectorFixture["report"]>[1]) => {
    const own = events.slice(0, left);
    left -= own.length;
    if (own.length === 0) return;
    const reached = await fixture.report(id, own);
    if (reached > position) position = reached;
  };
  const samples = fc.sample(histories, { seed: random.seed, numRuns: 400 });
  const lane = async () => {
    for (let steps = samples.pop(); steps && left > 0; steps = samples.pop()) {
      const history = new History();
      const ids = Array.from({ length: 12 }, () => randomUUID());
      // Skips deletions. Their keys are destroyed some time later, and until then reports that shared a
      // group with a deleted one might be grouped differently.
      for (const step of steps)
        if (step.action !== "delete") await write(ids[step.report] ?? "", history.next(step));
      const blind = { email: [`deleted-${left}`] };
      await write(randomUUID(), [
        reportSubmitted({ blind }),
        reportApproved(),
        reportDeleted(),
        reportErased(),
      ]);
    }
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  return position;
}

/** Reads the tables and every processor's checkpoint in one snapshot. */
async function snapshot(): Promise<{ found: Expected; at: ReadonlyMap<ProcessorName, string> }> {
  const client = new pg.Client({
    connectionString: fixture.config.databaseUrl,
    types: readModelTypes,
  });
  await client.connect();
  try {
    await client.query("begin isolation level repeatable read");
    const { rows } = await client.query<{ processor: ProcessorName; position: string }>(
      "select processor, position from processor.checkpoint",
    );
    const found = await readTables(async <T extends object>(text: string) => {
      const result = await client.query(text);
      return result.rows as T[];
    });
    return { found, at: new Map(rows.map(({ processor, position }) => [processor, position])) };
  } finally {
    await client.end();
  }
}

/** Folds each processor's part, up to that processor's checkpoint. */
function foldUpTo(at: ReadonlyMap<ProcessorName, string>): Expected {
  const folds = new Map<string, Expected>();
  const of = (processor: ProcessorName) => {
    const position = at.get(processor) ?? "";
    const known = folds.get(position) ?? foldEvents(log, position);
    folds.set(position, known);
    return known;
  };
  return {
    reports: of("reports").reports,
    addresses: of("reports").addresses,
    persons: of("offenders").persons,
    documents: of("search").documents,
    mails: of("outbox").mails,
    entries: of("audit").entries,
    facets: of("audit").facets,
  };
}

/**
 * Leaves out reports that the log deletes anywhere. Their keys may be destroyed long before the
 * projections reach the deletion, so it is uncertain which values the projections saw.
 */
function withoutDeleted(expected: Expected): Expected {
  const deletions = log.filter(({ event }) => event?.type === "ReportDeleted");
  const ids = new Set(deletions.map(({ stored }) => stored.stream.slice("report-".length)));
  const events = new Set(
    log.flatMap(({ stored }) => (ids.has(stored.stream.slice(7)) ? [`mail-${stored.id}`] : [])),
  );
  return {
    ...expected,
    reports: expected.reports.filter(({ id }) => !ids.has(String(id))),
    documents: expected.documents.filter(({ id }) => !ids.has(String(id))),
    addresses: expected.addresses.filter(({ report_id }) => !ids.has(report_id)),
    mails: expected.mails.filter(({ id }) => !events.has(id)),
  };
}

/** Resets all processors to before the first event. */
async function reset(): Promise<void> {
  await fixture.rows(
    `truncate reports.report, reports.hidden_report, reports.deleted_report, address.slug, offenders.person, offenders.member,
       offenders.identity_key, audit.entry, audit.figure_facet, audit.actor, search_source.report, search.documents,
       search.tombstones, outbox.mail, outbox.sample_report, processor.checkpoint,
       processor.parked_stream, processor.parked_event`,
  );
}

/** Polls rapidly until the processor has reached the position. */
async function passes(processor: ProcessorName, position: string): Promise<void> {
  for (;;) {
    const found = await fixture.rows(
      "select 1 from processor.checkpoint where processor = $1 and position >= $2",
      [processor, position],
    );
    if (found.length > 0) return;
    await delay(2);
  }
}

/** Waits until the killed process's connections are gone: its transactions are then committed or rolled back. */
async function connectionsGone(): Promise<void> {
  await eventually("its connections are gone", async () => {
    const rows = await fixture.rows(
      `select 1 from pg_stat_activity
       where datname = current_database() and application_name ~ '^projector (${PROCESSORS.join("|")})$'`,
    );
    return rows.length === 0;
  });
}

describe("a projector that is killed in the middle of 5,000 events", () => {
  it("leaves rows equal to the fold of the log, up to its checkpoints and at the end", async () => {
    expect(log.length).toBe(EVENTS + 1);
    const expected = foldEvents(log);
    expect(expected.persons.length).toBeGreaterThan(50);
    let inside = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let left = KILLS_A_ROUND; left > 0; left -= 1) if (await killOnTheWay(left)) inside += 1;
      const again = await fixture.start();
      await fixture.reached(last);
      await again.stop();
      expect((await snapshot()).found, `round ${round}, caught up`).toEqual(expected);
      expect(await fixture.rows("select 1 from processor.parked_event")).toEqual([]);
      await reset();
    }
    console.log(`${inside} of ${ROUNDS * KILLS_A_ROUND} kills were inside the batch`);
    expect(inside).toBeGreaterThanOrEqual(15);
  }, 300_000);
});

/**
 * Starts a projector, kills it at a random point and compares what it left behind.
 * @param left remaining kills in this round, including this one.
 * @returns whether it had progressed and was killed before the end of the log.
 */
async function killOnTheWay(left: number): Promise<boolean> {
  const positions = (await snapshot()).at;
  const indexOf = (processor: ProcessorName) =>
    log.findLastIndex(({ stored }) => stored.position <= (positions.get(processor) ?? ""));
  const underway = PROCESSORS.filter((processor) => indexOf(processor) < EVENTS * FAR);
  const watched = underway[random.between(0, underway.length - 1)] ?? PROCESSORS[0];
  const [from, before] = [indexOf(watched), positions.get(watched) ?? ""];
  const reach = Math.max(1, Math.floor((EVENTS * FAR - from) / left));
  const goal = log[from + random.between(1, reach)]?.stored.position ?? last;
  victim = startProcess(fixture, { ...FAST, batchSize: BATCH_SIZE });
  await passes(watched, goal);
  await victim.kill();
  await connectionsGone();
  const { found, at } = await snapshot();
  const context = `${watched} killed at ${at.get(watched)} (seed ${random.seed})`;
  expect(withoutDeleted(found), context).toEqual(withoutDeleted(foldUpTo(at)));
  const reached = at.get(watched) ?? "";
  return reached > before && reached < last;
}
