import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DatabaseBusy, openPool } from "#runtime/db/pool.ts";
import type { TestDatabase } from "#test-kit/database.ts";
import { registryDatabase } from "#test-kit/registry-database.ts";
import { ViewCounter } from "./view-counter.ts";

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await registryDatabase();
  pool = openPool({ url: database.url, name: "test", max: 4, prepares: true });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const NOON = "2026-11-22T12:00:00Z";

async function countOf(reportId: string): Promise<number> {
  const { rows } = await pool.query<{ views: number }>(
    "select views::int from views.report_views where report_id = $1",
    [reportId],
  );
  return rows[0]?.views ?? 0;
}

function counter() {
  const errors: unknown[] = [];
  return { views: new ViewCounter(pool, (error) => errors.push(error)), errors };
}

/** Runs the work while no view can be written. */
async function whileAway(work: () => Promise<void>): Promise<void> {
  await pool.query("alter table views.seen rename to seen_away");
  try {
    await work();
  } finally {
    await pool.query("alter table views.seen_away rename to seen");
  }
}

it("keeps counting after a failed write, including the views of that write", async () => {
  const { views } = counter();
  const report = randomUUID();
  await whileAway(async () => {
    await views.record(report, "192.0.2.1", NOON);
    await expect(views.flush()).rejects.toThrow();
    await views.record(report, "192.0.2.2", NOON);
    await expect(views.flush()).rejects.toThrow();
  });
  await views.record(report, "192.0.2.3", NOON);
  await views.flush();
  expect(await countOf(report)).toBe(3);
});

it("counts a view once if its write is repeated", async () => {
  const { views } = counter();
  const report = randomUUID();
  for (let n = 0; n < 3; n += 1) {
    await views.record(report, "192.0.2.1", NOON);
    await views.record(report, "192.0.2.1", NOON);
    await views.flush();
  }
  expect(await countOf(report)).toBe(1);
});

it("stops even if nothing can be written, and reports the error", async () => {
  const { views, errors } = counter();
  await whileAway(async () => {
    await views.record(randomUUID(), "192.0.2.1", NOON);
    await views.stop();
  });
  expect(errors).toHaveLength(1);
});

it("limits the number of pending views", async () => {
  const { views } = counter();
  const report = randomUUID();
  let waiting = 0;
  await whileAway(async () => {
    const fill = async () => {
      for (; waiting < 30_000; waiting += 1) await views.record(report, `visitor ${waiting}`, NOON);
    };
    await expect(fill()).rejects.toThrow(DatabaseBusy);
  });
  await views.flush().catch(() => undefined);
  await views.flush();
  expect(await countOf(report)).toBe(waiting);
  await views.record(report, "one more", NOON);
  await views.flush();
  expect(await countOf(report)).toBe(waiting + 1);
});

it("writes the same views in two processes concurrently, in any order", async () => {
  const reports = Array.from({ length: 40 }, () => randomUUID());
  for (let round = 0; round < 5; round += 1) {
    const seen = Array.from({ length: 2_000 }, (_, n) => ({
      report: reports[n % reports.length] as string,
      address: `visitor ${round} ${n}`,
    }));
    const processes = [counter().views, counter().views];
    for (const { report, address } of seen) await processes[0]?.record(report, address, NOON);
    for (const { report, address } of seen.toReversed())
      await processes[1]?.record(report, address, NOON);
    await Promise.all(processes.map((views) => views.flush()));
  }
  for (const report of reports) expect(await countOf(report)).toBe(250);
});

it("counts weeks separately, and drops old weeks and deleted reports", async () => {
  const { views } = counter();
  const [report, deleted] = [randomUUID(), randomUUID()];
  const weeks = async () =>
    (
      await pool.query(
        `select week::text, views::int from views.report_week where report_id = any($1) order by week`,
        [[report, deleted]],
      )
    ).rows;
  // Sunday, Monday twice, and the next Sunday.
  for (const day of ["2026-11-22", "2026-11-23", "2026-11-29"])
    await views.record(report, "192.0.2.1", `${day}T12:00:00Z`);
  await views.record(report, "192.0.2.2", "2026-11-23T00:00:00Z");
  await views.record(deleted, "192.0.2.2", "2026-11-23T00:00:00Z");
  await views.flush();
  await views.forget([deleted]);
  expect(await weeks()).toEqual([
    { week: "2026-11-16", views: 1 },
    { week: "2026-11-23", views: 3 },
  ]);
  await views.forgetFormerDays("2026-12-07T00:00:00Z");
  expect(await weeks()).toHaveLength(2);
  await views.forgetFormerDays("2026-12-08T00:00:00Z");
  expect(await weeks()).toEqual([{ week: "2026-11-23", views: 3 }]);
  expect(await countOf(report)).toBe(4);
});
