import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OffenderPage } from "#contracts/http/reports.ts";
import { readModelPool } from "#read-model/database.ts";
import { createPageTokens } from "#search/search-plan.ts";
import type { TestDatabase } from "#test-kit/database.ts";
import { registryDatabase } from "#test-kit/registry-database.ts";
import { type Fixture, startQueryApi } from "../testing/query-api.fixture.ts";
import { costOf } from "../testing/rows-read.ts";
import { offendersBeside } from "./offenders.queries.ts";
import { offenderPage } from "./offenders.routes.ts";

const ALL = "/prod/api/habitual-offenders/all";

describe(`GET ${ALL}`, () => {
  let service: Fixture;
  beforeAll(async () => {
    service = await startQueryApi();
    const approved = { status: "approved", approved_at: "2026-11-20T09:00:00.000Z" };
    for (let n = 0; n < 45; n += 1) {
      const pair = [await service.addReport(approved), await service.addReport(approved)];
      // Most share their rank with two others, so that the ID decides.
      await service.addPerson(pair, { usd_total_cents: Math.floor(n / 3) });
    }
  });
  afterAll(() => service.close());

  const read = async (page?: string) => {
    const reply = await service.get(page ? `${ALL}?page=${encodeURIComponent(page)}` : ALL);
    expect(reply.statusCode).toBe(200);
    return reply.json().data as OffenderPage;
  };
  const slugs = ({ offenders }: OffenderPage) => offenders.map((o) => o.latest_report.seo_title);

  it("shows everyone once, in list order, forward and backward", async () => {
    const { data: top } = (await service.get("/prod/api/habitual-offenders?limit=50")).json();
    const first = await read();
    expect(first).toMatchObject({ page: 1, pages: 3, total: 45, previous: null });
    const second = await read(first.next ?? "");
    expect(second).toMatchObject({ page: 2, pages: 3 });
    const third = await read(second.next ?? "");
    expect(third).toMatchObject({ page: 3, pages: 3, next: null });
    const all = [first, second, third].flatMap(slugs);
    expect(all).toEqual(top.map((o: OffenderPage["offenders"][0]) => o.latest_report.seo_title));
    expect(new Set(all).size).toBe(45);
    const back = await read(third.previous ?? "");
    expect([back.page, slugs(back)]).toEqual([2, slugs(second)]);
    const start = await read(back.previous ?? "");
    expect([start.page, slugs(start), start.previous]).toEqual([1, slugs(first), null]);
    expect(slugs(await read(back.next ?? ""))).toEqual(slugs(third));
  });

  it("rejects a token that it did not create", async () => {
    const { next: own } = await read();
    const damaged = `${own?.slice(0, -2)}AA`;
    for (const token of ["x", damaged]) {
      const reply = await service.get(`${ALL}?page=${encodeURIComponent(token)}`);
      expect([token, reply.statusCode]).toEqual([token, 400]);
      expect(Object.keys(reply.json().error.fields)).toEqual(["page"]);
    }
  });

  it("shows the first page instead of one that has lost its rows", async () => {
    const second = await read((await read()).next ?? "");
    const third = await read(second.next ?? "");
    await service.db.query("delete from offenders.person where usd_total_cents < 2");
    const { page, offenders, total } = await read(second.next ?? "");
    expect([page, offenders.length, total]).toEqual([1, 20, 39]);
    await service.db.query("delete from offenders.person where usd_total_cents > 6");
    expect(await read(third.previous ?? "")).toMatchObject({ page: 1, previous: null });
  });
});

describe("persons read for a page", () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await registryDatabase();
    pool = readModelPool(database.url, { name: "test", max: 4, statementMs: 120_000 });
    await pool.query(
      `insert into reports.report (id, report_type, verified, address_confirmed, slug, first_name, last_name, title,
         description, city, state, country, currency, amount_cents, total_due_cents,
         resolution_status, chargebacks, copies, files, origin, created_at, updated_at, approved_at, revision,
         position, status, blind, match_keys)
       select gen_random_uuid(), 'chargeback', true, true, 'r-' || n, 'John', 'Smith', 'T', 'D', 'Denver',
         'CO', 'US', 'USD', n, n, 'unresolved', '[]', '[]', '[]', 'live', now(), now(), now(), 0, n::text,
         'approved', '{}', '{}' from generate_series(1, 20000) n`,
    );
    await pool.query(
      `insert into offenders.person (id, report_count, report_ids, totals, usd_total_cents, shares,
         latest_report_id, latest_at)
       select id, 2, array[id], '[]', amount_cents, '{}', id, created_at from reports.report`,
    );
    await pool.query("analyze reports.report; analyze offenders.person");
  }, 120_000);
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it("are only those of the page, wherever it is; the count stops at 10,000", async () => {
    for (const direction of ["after", "before"] as const) {
      const rank = { reportCount: 2, usdTotalCents: 9_000, latestMs: Date.now(), id: randomUUID() };
      const cost = await costOf(pool, (db) => offendersBeside(db, { direction, rank }, 21));
      for (const { text, rows } of cost) expect([text, rows < 150]).toEqual([text, true]);
    }
    const tokens = createPageTokens(Buffer.alloc(32));
    const cost = await costOf(pool, (db) => offenderPage(db, tokens, undefined));
    expect(cost.length).toBeGreaterThan(1);
    for (const { text, rows } of cost) expect([text, rows <= 10_001]).toEqual([text, true]);
    const counted = await costOf(pool, (db) => offenderPage(db, tokens, undefined));
    expect(counted[0]?.rows).toBeLessThan(150);
  });
});
