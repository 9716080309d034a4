import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { PROCESSORS } from "#read-model/tables/processor.ts";
import { testRuns, testSeed } from "#test-kit/config.ts";
import { forTest } from "#test-kit/for-file.ts";
import { History, histories, type Step } from "../testing/histories.ts";
import { foldEvents, readLog, readTables } from "../testing/oracle.ts";
import { FAST, openFixture } from "../testing/projector.fixture.ts";
import { expectStatsOfTheLog } from "../testing/stats-oracle.ts";

/** Number of histories on one log: each comparison folds all of it. */
const RUNS_A_LOG = 12;
const OWNER = randomUUID();
const VISITOR = { id: "visitor", role: "visitor" } as const;

const fixture = forTest(openFixture);
let clock = Date.UTC(2026, 10, 21);

/** Some reports share a moment, and some decisions fall on another day. */
function pauseBefore({ cents }: Step): number {
  if (cents % 4 === 0) return 0;
  return cents % 5 === 0 ? 9 * 3_600_000 : 1000;
}

/** Appends a history, destroying keys right after a deletion. */
async function write(steps: readonly Step[]): Promise<string> {
  const history = new History();
  const ids = new Map<number, string>();
  let position = "";
  for (const step of steps) {
    const id = ids.get(step.report) ?? randomUUID();
    ids.set(step.report, id);
    clock += pauseBefore(step);
    const time = new Date(clock).toISOString();
    for (const event of history.next(step)) {
      const origin = step.report === 7 && event.type === "ReportSubmitted" ? "sample" : "live";
      // The reports with one of the numbers are sent by someone who is signed in.
      const actor = step.report === 3 ? ({ id: OWNER, role: "user" } as const) : VISITOR;
      position = await fixture.report(id, [event], { time, origin, actor });
      if (event.type === "ReportErased")
        await fixture.stores.keys.destroy([subjects.personal(id), subjects.reporter(id)], time);
    }
  }
  return position;
}

async function compare(): Promise<void> {
  const read = await readLog(fixture.stores.store, fixture.stores.keys);
  const expected = foldEvents(read);
  const found = await readTables((text) => fixture.rows(text));
  expect(found.reports).toEqual(expected.reports);
  expect(found.addresses).toEqual(expected.addresses);
  expect(found.persons).toEqual(expected.persons);
  expect(found.documents).toEqual(expected.documents);
  expect(found.mails).toEqual(expected.mails);
  expect(found.entries).toEqual(expected.entries);
  expect(found.facets).toEqual(expected.facets);
  await expectStatsOfTheLog(read, (text) => fixture.rows(text));
}

/** One period in a registry's life: parallel writers, and a projector that comes and goes. */
const period = fc.record({
  lanes: fc.array(histories, { minLength: 1, maxLength: 3 }),
  /** Small, so that histories are cut everywhere; or large, all at once. */
  batchSize: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(500)),
  /** Whether it follows the writing, or starts afterward. */
  follows: fc.boolean(),
  /** Whether its connections are cut while it works. */
  isCut: fc.boolean(),
});

type Period = typeof period extends fc.Arbitrary<infer T> ? T : never;

async function live({ lanes, batchSize, follows, isCut }: Period) {
  const settings = { ...FAST, batchSize };
  let projector = follows ? await fixture.start(settings) : undefined;
  const writing = Promise.all(lanes.map(write));
  if (!projector) {
    await writing;
    projector = await fixture.start(settings);
  }
  if (isCut)
    await fixture.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name ~ '^projector (${PROCESSORS.join("|")})$'`,
    );
  const position = (await writing).toSorted().at(-1);
  if (position) await fixture.reached(position);
  await compare();
  await projector.stop();
}

async function expectEqualAfterRebuild(): Promise<void> {
  await fixture.start();
  await fixture.rebuild(undefined, { batchSize: 11 });
  await compare();
  const persons = await fixture.rows("select 1 from offenders.person");
  expect(persons.length).toBeGreaterThan(3);
  expect(await fixture.rows("select * from processor.parked_event")).toEqual([]);
  // The processors continue with the new tables, without a restart.
  const { position } = await fixture.writer.append(streams.report(randomUUID()), [
    ...new History().next({
      report: 0,
      action: "approve",
      person: { name: ["A", "B"], email: 1, card: 1 },
      cents: 5,
    }),
  ]);
  await fixture.reached(position);
  await compare();
}

describe("the rows of every table", () => {
  const logs = Math.ceil((testRuns() ?? RUNS_A_LOG) / RUNS_A_LOG);
  it.each(Array.from({ length: logs }, (_, number) => number))(
    "equal the fold of the log, whatever happened, live and after a rebuild (log %i)",
    async (number) => {
      const seed = testSeed();
      await fc.assert(fc.asyncProperty(period, live), {
        numRuns: RUNS_A_LOG,
        endOnFailure: true,
        ...(seed === undefined ? {} : { seed: seed + number }),
      });
      await expectEqualAfterRebuild();
    },
    120_000,
  );
});
