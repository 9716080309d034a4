import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { eventually } from "#test-kit/reached-position.ts";
import { reportApproved, reportDeleted, reportSubmitted } from "#test-kit/report-events.ts";
import { openFixture, type ProjectorFixture } from "../testing/projector.fixture.ts";
import { cleanErasedRows, RowCleaner } from "./row-cleaner.ts";

let fixture: ProjectorFixture;
beforeEach(async () => {
  fixture = await openFixture();
});
afterEach(() => fixture.close());

const CANARY = "zqcanary";

/** Tables and indexes in which a line pointer leads to an item with the canary, read page by page. */
async function reachable(): Promise<string[]> {
  await fixture.rows("create extension if not exists pageinspect schema public");
  const relations = await fixture.rows<{ name: string; pages: number }>(
    `select c.oid::regclass::text as name,
       (pg_relation_size(c.oid) / current_setting('block_size')::int)::int as pages
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and c.relkind in ('r', 'i')`,
    [["reports", "offenders", "search", "search_source", "outbox"]],
  );
  const found: string[] = [];
  for (const { name, pages } of relations)
    for (let page = 0; page < pages; page += 1) {
      const [{ raw } = { raw: Buffer.alloc(0) }] = await fixture.rows<{ raw: Buffer }>(
        "select get_raw_page($1, $2) as raw",
        [name, page],
      );
      if (items(raw).some((item) => item.includes(CANARY)) && !found.includes(name))
        found.push(name);
    }
  return found.sort();
}

/** What the line pointers of a page lead to (`ItemIdData`: offset, flags, length). */
function items(page: Buffer): Buffer[] {
  const HEADER_BYTES = 24;
  const end = Math.min(page.readUInt16LE(12), page.readUInt16LE(16));
  const found: Buffer[] = [];
  for (let at = HEADER_BYTES; at + 4 <= end; at += 4) {
    const pointer = page.readUInt32LE(at);
    const [offset, length] = [pointer & 0x7fff, pointer >>> 17];
    if (length > 0) found.push(page.subarray(offset, offset + length));
  }
  return found;
}

describe("after an erasure", () => {
  it("no line pointer of a table or an index leads to the person, and no statistics name them", async () => {
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
    await fixture.reached(await fixture.report(gone, [reportDeleted()]));
    expect(await reachable()).not.toEqual([]);
    expect(await cleanErasedRows(fixture.config.databaseUrl)).toBe(true);
    expect(await reachable()).toEqual([]);
    expect(await namedInStatistics()).toEqual([]);
    expect(await fixture.rows("select 1 from reports.report where id = $1", [kept])).toHaveLength(
      1,
    );
  });

  it("cleans once for many, and again after a failure", async () => {
    const clean = vi.fn<() => Promise<boolean>>().mockRejectedValueOnce(new Error("away"));
    clean.mockResolvedValue(true);
    const cleaner = new RowCleaner({ clean, log: fixture.log, delayMs: 1 });
    for (let n = 0; n < 5; n += 1) cleaner.note();
    await eventually("it cleans again", () => clean.mock.calls.length === 2);
    await cleaner.stop();
    cleaner.note();
    expect(clean).toHaveBeenCalledTimes(2);
  });
});
