import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { forTest } from "#test-kit/for-file.ts";
import { eventually } from "#test-kit/reached-position.ts";
import {
  reportApproved,
  reportDeleted,
  reportErased,
  reportSubmitted,
} from "#test-kit/report-events.ts";
import { openFixture } from "../testing/projector.fixture.ts";
import { itemsOf, readPages } from "../testing/raw-pages.ts";
import { cleanErasedRows, RowCleaner } from "./row-cleaner.ts";

const fixture = forTest(openFixture);

const CANARY = "zqcanary";

const SCHEMAS = ["reports", "offenders", "search", "search_source", "outbox"];

/** Lists tables and indexes, read page by page, in which a line pointer leads to the canary. */
async function reachable(kinds = "ri"): Promise<string[]> {
  const pages = await readPages(fixture, SCHEMAS);
  const found = pages
    .filter(({ kind }) => kinds.includes(kind))
    .filter(({ bytes }) => itemsOf(bytes).some((item) => item.includes(CANARY)))
    .map(({ relation }) => relation);
  return [...new Set(found)].sort();
}

/** Turns autovacuum off, because it might run at any moment. */
async function withoutAutovacuum(): Promise<void> {
  const tables = await fixture.rows<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = any($1)",
    [SCHEMAS],
  );
  for (const { name } of tables)
    await fixture.rows(`alter table ${name} set (autovacuum_enabled = off)`);
}

describe("after an erasure", () => {
  it("no line pointer of a table or index leads to the person, and no statistics contain their name", async () => {
    await withoutAutovacuum();
    const projector = await fixture.start();
    await projector.ready();
    const [gone, kept] = [randomUUID(), randomUUID()];
    const named = (last_name: string) =>
      reportSubmitted({ personal: { first_name: "Quinn", last_name, title: last_name } });
    await fixture.report(kept, [named("Stays"), reportApproved()]);
    for (let n = 0; n < 40; n += 1)
      await fixture.report(randomUUID(), [named(`Other${n}`), reportApproved()]);
    await fixture.reached(await fixture.report(gone, [named(CANARY), reportApproved()]));
    const namedInStatistics = async () => {
      const statistics = await fixture.rows<{ name: string; text: string }>(
        "select schemaname || '.' || tablename as name, s::text as text from pg_stats s",
      );
      return statistics.filter(({ text }) => text.includes(CANARY)).map(({ name }) => name);
    };
    for (const table of ["reports.report", "search.documents", "offenders.identity_key"])
      await fixture.rows(`analyze ${table}`);
    expect(new Set(await namedInStatistics())).toEqual(new Set(["search.documents"]));
    expect(await reachable()).toEqual(
      expect.arrayContaining(["reports.report", "reports.report_by_name", "search.documents"]),
    );
    await fixture.reached(await fixture.report(gone, [reportDeleted(), reportErased()]));
    expect(await reachable()).not.toEqual([]);
    // VACUUM keeps what a snapshot taken before the deletion may still see.
    await eventually("no other snapshot is open", async () => {
      const open = await fixture.rows(
        `select 1 from pg_stat_activity where datname = current_database()
         and pid <> pg_backend_pid() and backend_xmin is not null`,
      );
      return open.length === 0;
    });
    expect(await cleanErasedRows(fixture.config.databaseUrl)).toBe(true);
    expect(await reachable()).toEqual([]);
    expect(await namedInStatistics()).toEqual([]);
    expect(await fixture.rows("select 1 from reports.report where id = $1", [kept])).toHaveLength(
      1,
    );
  });

  it("cleans once for many erasures, and again after a failure", async () => {
    const clean = vi.fn<() => Promise<boolean>>().mockRejectedValueOnce(new Error("away"));
    clean.mockResolvedValue(true);
    const cleaner = new RowCleaner({ clean, log: fixture.log, delayMs: 1 });
    for (let n = 0; n < 5; n += 1) cleaner.record();
    await eventually("it cleans again", () => clean.mock.calls.length === 2);
    await cleaner.stop();
    cleaner.record();
    expect(clean).toHaveBeenCalledTimes(2);
  });

  it("cleans once more for what was erased while the first cleaning was pending", async () => {
    const clean = vi.fn(async () => true);
    vi.useFakeTimers();
    try {
      const cleaner = new RowCleaner({ clean, log: fixture.log, delayMs: 1000 });
      cleaner.record();
      await vi.advanceTimersByTimeAsync(999);
      cleaner.record();
      await vi.advanceTimersByTimeAsync(1);
      expect(clean).toHaveBeenCalledTimes(1);
      await vi.advanceTimersByTimeAsync(998);
      expect(clean).toHaveBeenCalledTimes(1);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(clean).toHaveBeenCalledTimes(2);
    } finally {
      vi.useRealTimers();
    }
  });
});
