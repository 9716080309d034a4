import { beforeAll, expect, it } from "vitest";
import { type ReadModelDatabase, readModelDatabase } from "#read-model/database.ts";
import { forFile } from "#test-kit/for-file.ts";
import { startQueryApi } from "../testing/query-api.fixture.ts";
import { costOf } from "../testing/rows-read.ts";
import { findReports, findSitemaps, readPlace } from "./sitemap.routes.ts";

const service = forFile(() => startQueryApi());
let db: ReadModelDatabase;
beforeAll(async () => {
  db = readModelDatabase(service.db);
  for (let n = 0; n < 7; n++) {
    // Two reports per second, so that the ID is needed to distinguish places.
    const created_at = `2026-05-0${1 + Math.floor(n / 2)}T10:00:00.123Z`;
    await service.addReport({ status: "approved", slug: `person-${n}`, created_at });
  }
  await service.addReport({ status: "pending", slug: "waiting" });
});

const place = (text: string | null) => (text === null ? undefined : readPlace(text));

it("lists each public report once, however the list is split", async () => {
  const all = await findReports(db, undefined);
  expect(all.next).toBeNull();
  const slugs = all.reports.map(({ seo_title }) => seo_title);
  expect(slugs.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => `person-${n}`));
  for (const size of [1, 2, 3, 7, 8]) {
    const found: string[] = [];
    let next: string | null = null;
    do {
      const page = await findReports(db, place(next), size);
      expect(page.reports.length).toBeLessThanOrEqual(size);
      found.push(...page.reports.map(({ seo_title }) => seo_title));
      next = page.next;
    } while (next !== null);
    expect(found, `pages of ${size}`).toEqual(slugs);
  }
});

it.each([
  [1, 7],
  [3, 3],
  [7, 1],
  [100, 1],
])("starts another sitemap after each %i reports", async (size, count) => {
  const sitemaps = await findSitemaps(db, size);
  expect(sitemaps).toHaveLength(count);
  const all = await findReports(db, undefined);
  for (const [n, begin] of sitemaps.entries()) {
    const [first] = (await findReports(db, place(begin), 1)).reports;
    expect(first).toEqual(all.reports[n * size]);
  }
});

it("reads only as many rows as a page has, in index order", async () => {
  const client = await service.db.connect();
  await client.query("set enable_seqscan = off; set enable_sort = off").finally(client.release);
  const { next } = await findReports(db, undefined, 2);
  for (const { rows } of await costOf(service.db, (on) => findReports(on, place(next), 2)))
    expect(rows).toBeLessThanOrEqual(3);
});

it("serves everyone, and rejects an invalid place", async () => {
  const list = await service.get("/prod/api/sitemap", { as: "visitor" });
  expect(list.json().data).toEqual({ sitemaps: [null] });
  const reports = await service.get("/prod/api/sitemap/reports", { as: "visitor" });
  expect(reports.json().data.reports[0]).toEqual({
    seo_title: expect.stringMatching(/^person-[01]$/),
    updated_at: expect.stringMatching(/Z$/),
  });
  for (const after of ["x", `2026-05-01T10:00:00.123Z_${"-".repeat(36)}`]) {
    const reply = await service.get(`/prod/api/sitemap/reports?after=${after}`);
    expect([after, reply.statusCode]).toEqual([after, 400]);
  }
});

it("omits a report as soon as it is no longer public", async () => {
  await service.db.query("update reports.report set status = 'under_review' where slug = $1", [
    "person-3",
  ]);
  const { body } = await service.get("/prod/api/sitemap/reports");
  expect(body).toContain("person-2");
  expect(body).not.toContain("person-3");
});
