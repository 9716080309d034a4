import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { rebuild } from "../rebuild.ts";
import { History, histories, type Step } from "../testing/histories.ts";
import { foldLog, readTables } from "../testing/oracle.ts";
import { FAST, openFixture, type ProjectorFixture } from "../testing/projector.fixture.ts";

let fixture: ProjectorFixture;
let clock = Date.UTC(2026, 10, 21);

beforeAll(async () => {
  fixture = await openFixture();
  // Small batches, so that histories are cut in all kinds of places.
  await fixture.start({ ...FAST, batchSize: 7 });
});
afterAll(() => fixture.close());

/** Appends a history, with keys destroyed at once after a deletion. */
async function write(steps: readonly Step[]): Promise<string> {
  const history = new History();
  const ids = new Map<number, string>();
  let position = "";
  for (const step of steps) {
    const id = ids.get(step.report) ?? randomUUID();
    ids.set(step.report, id);
    clock += 1000;
    const time = new Date(clock).toISOString();
    for (const event of history.next(step)) {
      const origin = step.report === 7 && event.type === "ReportSubmitted" ? "sample" : "live";
      position = await fixture.report(id, [event], { time, origin });
      if (event.type === "ReportDeleted")
        await fixture.stores.keys.destroy([subjects.personal(id), subjects.reporter(id)], time);
    }
  }
  return position;
}

async function compare(): Promise<void> {
  const expected = await foldLog(fixture.stores.store, fixture.stores.keys);
  const found = await readTables((text) => fixture.rows(text));
  expect(found.reports).toEqual(expected.reports);
  expect(found.goneSlugs).toEqual(expected.goneSlugs);
  expect(found.persons).toEqual(expected.persons);
  expect(found.documents).toEqual(expected.documents);
  expect(found.mails).toEqual(expected.mails);
  expect(found.entries).toEqual(expected.entries);
}

describe("the rows of every table", () => {
  it("equal the fold of the log, whatever happened, live and after a rebuild", async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (steps) => {
        const position = await write(steps);
        if (position) await fixture.reached(position);
        await compare();
      }),
      { numRuns: 12, endOnFailure: true },
    );
    const { stores, log } = fixture;
    const rebuildable = stores.projections.filter(({ rebuild: run }) => run);
    await rebuild({ ...stores, log, batchSize: 11 }, rebuildable);
    await compare();
    const persons = await fixture.rows("select 1 from offenders.person");
    expect(persons.length).toBeGreaterThan(3);
    expect(await fixture.rows("select * from processor.parked_event")).toEqual([]);
    // The processors go on with the new tables, without a restart.
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
  }, 120_000);
});
