import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ReadModelDatabase, readModelDatabase, readModelPool } from "#read-model/database.ts";
import type { TestDatabase } from "#test-kit/database.ts";
import { registryDatabase } from "#test-kit/registry-database.ts";
import type { PlacedPage } from "../placed-lists.ts";
import type { ModeratorReportRow } from "../reports/reports.queries.ts";
import { costOf } from "../testing/rows-read.ts";
import { countByStatus } from "./admin-reports.queries.ts";
import {
  listReports,
  REPORT_SORTS,
  type ReportFilter,
  type ReportSort,
  reportColumn,
} from "./report-list.queries.ts";

const REPORTS = 20_000;
const WINDOW = 10_000;
/** Maximum rows that one page of 25 may read. */
const FEW = 150;
const PAGE: PlacedPage = { offset: 0, limit: 25 };
/** Each input is tried with every third sort field, alternating in direction. */
const inTurn = (turn: number) => (turn % 2 ? "asc" : "desc");

describe("reports read by the moderators' list", () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let reads: ReadModelDatabase;

  beforeAll(async () => {
    database = await registryDatabase();
    pool = readModelPool(database.url, { name: "test", max: 4, statementMs: 120_000 });
    reads = readModelDatabase(pool);
    // The rare reports are all old, so a scan from the newest report finds none of them early.
    await pool.query(
      `insert into reports.report (id, report_type, verified, address_confirmed, first_name, last_name, title,
         description, city, state, country, currency, amount_cents, total_due_cents,
         chargeback_reason, check_reason, resolution_status, chargebacks, copies, files, origin, created_at,
         updated_at, revision, position, status, blind, match_keys)
       select gen_random_uuid(), case when n <= 8000 then 'bad_check' else 'chargeback' end, n % 2 = 0, false,
         case when n = 77 then 'Li' else 'John' end, case when n <= 50 then 'Zimmer' else 'Smith' end,
         'The order of a TV, ' || n,
         'He ordered that TV, a pro' || 'duct (100%) of the_shop' || case when n = 99 then ' zither' else '' end,
         'Denver', 'CO', 'US', 'USD', n, n,
         case when n > 8000 then 'fraudulent' end, case when n <= 8000 then 'nsf' end, 'unresolved',
         case when n <= 40 then '[{"reason":"general"},{"reason":"other"}]'::jsonb else '[]' end, '[]', '[]',
         'live', date_trunc('second', now()) + n * interval '1 second',
         date_trunc('second', now()) + n * interval '1 second', 0, n::text,
         case when n <= 500 then 'under_review' when n <= 1000 then 'rejected'
              when n <= 8000 then 'pending' else 'approved' end, '{}', '{}'
       from generate_series(1, $1::int) n`,
      [REPORTS],
    );
    await pool.query("analyze reports.report");
  }, 120_000);
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  async function listed(filter: ReportFilter, sort: ReportSort, page = PAGE) {
    let total: number | undefined;
    let rows: Awaited<ReturnType<typeof listReports>>["rows"] = [];
    const costs = await costOf(pool, async (db) => {
      ({ rows, total } = await listReports(db, filter, sort, page));
    });
    return { rows, total, costs };
  }

  const ordered: [string, ReportFilter, number][] = [
    ["no filter", {}, WINDOW],
    ["a status", { status: "pending" }, 7_000],
    ["a status of old reports", { status: "under_review" }, 500],
  ];
  const filters: [string, ReportFilter, number][] = [
    ...ordered,
    ["one letter of most texts, no whole word", { q: "e" }, 0],
    ["one letter that is a word of all titles", { q: "A" }, WINDOW],
    ["short words of all titles", { q: "tv of a" }, WINDOW],
    ["a short name", { q: "li" }, 1],
    ["a percent sign", { q: "%" }, 0],
    ["an underscore", { q: "_" }, 0],
    ["a word with signs", { q: "(100%)" }, WINDOW],
    ["200 different words", { q: Array.from({ length: 200 }, (_, n) => `w${n}x`).join(" ") }, 0],
    ["twelve parts of all texts", { q: "the ord that ere pro duc uct hop john sho ent den" }, 0],
    ["a very common word", { q: "ordered" }, WINDOW],
    ["a part of a very common word", { q: "rdere" }, WINDOW],
    ["a rare word", { q: "zither" }, 1],
    ["a word of old reports", { q: "zimmer" }, 50],
    ["a common word and a rare one", { q: "ordered zimmer" }, 50],
    [
      "a common word that no report of a rare status holds",
      { q: "fraudulent", status: "rejected" },
      0,
    ],
    ["a common word and a rare status", { q: "ordered", status: "rejected" }, 500],
    ["two common terms", { report_type: "chargeback", verified: "true" }, 6_000],
    ["two common terms that never meet", { report_type: "bad_check", reason: "fraudulent" }, 0],
    ["a status and a type that never meet", { status: "pending", report_type: "chargeback" }, 0],
    ["a common reason", { reason: "fraudulent" }, WINDOW],
    ["a reason of additional chargebacks", { reason: "general" }, 40],
    ["those to decide", { to_decide: "all" }, 3_500],
    ["those to decide for longer than a day", { to_decide: "late" }, 0],
    [
      "a thousand ids and a common word",
      { q: "ordered", id: Array.from({ length: 1000 }, () => randomUUID()) },
      0,
    ],
  ];

  it.each(filters.map((each, turn) => [...each, turn] as const))(
    "are only those of the page and of the count, in any order: %s",
    async (_, filter, total, turn) => {
      for (const [n, field] of REPORT_SORTS.entries()) {
        if ((n + turn) % 3) continue;
        const order = inTurn(n + turn);
        const found = await listed(filter, { field, order });
        const label = `${field} ${order}`;
        expect(found.total, label).toBe(total);
        expect(found.rows, label).toHaveLength(Math.min(25, total));
        const visited = found.costs.map(({ rows }) => rows);
        for (const rows of visited) expect(rows, label).toBeLessThanOrEqual(WINDOW + FEW);
      }
    },
  );

  it("are those up to the end of the page, however deep it is", async () => {
    const { rows, costs } = await listed(
      {},
      { field: "last_name", order: "asc" },
      { offset: 9_900, limit: 100 },
    );
    expect(rows).toHaveLength(100);
    for (const { rows: visited } of costs) expect(visited).toBeLessThanOrEqual(2 * WINDOW + FEW);
  });

  it("are limited per page; a query that needs more is rejected", async () => {
    const filter = { report_type: "chargeback" } as const;
    const list = (order: "asc" | "desc") =>
      costOf(pool, (db) => listReports(db, filter, { field: "created_at", order }, PAGE, 1000));
    expect((await list("desc")).at(-1)?.rows).toBeLessThanOrEqual(FEW);
    await expect(list("asc")).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("are limited even if no index covers the filter", async () => {
    const look = async (filter: ReportFilter, field: "created_at" | "amount", lookAt: number) => {
      let total: unknown;
      const costs = await costOf(pool, async (db) => {
        const found = await listReports(db, filter, { field, order: "desc" }, PAGE, lookAt);
        total = [found.rows.length, found.total, found.atLeast];
      });
      return { total, most: Math.max(...costs.map(({ rows }) => rows)) };
    };
    // Cents, of which the first 1,000 reports have up to 10.
    const rare = { amount_max: "10", amount_min: "9.91" } as const;
    expect((await look(rare, "amount", 1000)).total).toEqual([10, 10, undefined]);
    expect((await look(rare, "amount", 1000)).most).toBeLessThanOrEqual(FEW);
    await expect(look(rare, "created_at", 1000)).rejects.toMatchObject({ code: "invalid_request" });
    const common = await look({ country: "US" }, "created_at", 1000);
    expect(common.total).toEqual([25, 1000, true]);
    expect(common.most).toBeLessThanOrEqual(1000 + FEW);
  });

  describe("when the figures table has their number", () => {
    beforeAll(() =>
      pool.query(
        `insert into reports.figure_listed
         select status, report_type, verified, count(*) from reports.report group by 1, 2, 3`,
      ),
    );
    afterAll(() => pool.query("delete from reports.figure_listed"));

    const LISTS: [string, ReportFilter][] = [
      ["all", {}],
      ["of a status", { status: "approved" }],
      ["of a type", { report_type: "chargeback" }],
      ["with a common word", { q: "ordered" }],
    ];
    it.each(LISTS.map((each, turn) => [...each, turn] as const))(
      "appear once each when paging in both directions: %s",
      async (_, filter, turn) => {
        const sorts = (filter.q ? ["last_name"] : REPORT_SORTS) as typeof REPORT_SORTS;
        for (const [n, field] of sorts.entries()) {
          if ((n + turn) % 3) continue;
          const order = inTurn(n + turn);
          const label = `${field} ${order}`;
          const read = (page: PlacedPage) => listReports(reads, filter, { field, order }, page);
          const keyOf = (row: ModeratorReportRow) => {
            const key = row[reportColumn(field)];
            return key instanceof Date ? key.toISOString() : String(key);
          };
          const column = reportColumn(field);
          const { rows: sorted } = await pool.query(
            `select id from reports.report r where ($1::text is null or status = $1)
               and ($2::text is null or report_type = $2) order by ${column} ${order}, id ${order}`,
            [filter.status, filter.report_type],
          );
          const expected = sorted.map(({ id }) => id);
          const limit = 4_000;
          const forwards: string[] = [];
          let last: ModeratorReportRow | undefined;
          for (let offset = 0; ; offset += limit) {
            const beside = last && { side: "after" as const, key: keyOf(last), id: last.id };
            const { rows, total, atLeast } = await read({
              offset,
              limit,
              ...(beside && { beside }),
            });
            forwards.push(...rows.map(({ id }) => id));
            if (!filter.q) expect([total, atLeast], label).toEqual([expected.length, undefined]);
            if (rows.length < limit || offset > REPORTS) break;
            last = rows.at(-1);
          }
          expect(forwards, label).toEqual(expected);
          const first = last as ModeratorReportRow;
          const beside = { side: "before" as const, key: keyOf(first), id: first.id };
          const { rows: before } = await read({ offset: 0, limit: 25, beside });
          const at = expected.indexOf(first.id);
          expect(
            before.map(({ id }) => id),
            label,
          ).toEqual(expected.slice(at - 25, at));
        }
      },
    );

    it("are counted for the tabs from the figures table", async () => {
      await pool.query("update reports.figure_listed set reports = reports * 10");
      expect(await countByStatus(reads)).toMatchObject({
        under_review: 5_000,
        approved: 120_000,
        rejected: 5_000,
        unconfirmed: 35_000,
        pending: 70_000,
      });
      await pool.query("update reports.figure_listed set reports = reports / 10");
    });

    it("are few however deep the page is, even from the end", async () => {
      for (const field of REPORT_SORTS)
        for (const order of ["asc", "desc"] as const) {
          const label = `${field} ${order}`;
          const sort = { field, order };
          const end = await listed({}, sort, { offset: REPORTS - 25, limit: 25 });
          expect(end.rows, label).toHaveLength(25);
          const row = end.rows[0] as ModeratorReportRow;
          const value = row[reportColumn(field)];
          const key = value instanceof Date ? value.toISOString() : String(value);
          const before = await listed({}, sort, {
            offset: REPORTS - 50,
            limit: 25,
            beside: { side: "before", key, id: row.id },
          });
          expect(before.rows, label).toHaveLength(25);
          for (const { rows } of [...end.costs, ...before.costs])
            expect(rows, label).toBeLessThanOrEqual(FEW);
        }
    });

    it("are refused for a middle page unless a neighboring row is given", async () => {
      await expect(
        listed({}, { field: "id", order: "asc" }, { offset: WINDOW, limit: 25 }),
      ).resolves.toMatchObject({ total: REPORTS });
      await pool.query("update reports.figure_listed set reports = reports * 10");
      await expect(
        listed({}, { field: "id", order: "asc" }, { offset: WINDOW, limit: 25 }),
      ).rejects.toMatchObject({ code: "invalid_request" });
      await pool.query("update reports.figure_listed set reports = reports / 10");
    });
  });

  it("are bounded for the tab counts", async () => {
    const [cost] = await costOf(pool, countByStatus);
    expect(cost?.rows).toBeLessThanOrEqual(500 + 500 + 2 * 7_000 + 3_500 + WINDOW);
  });
});
