import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MAX_NAMED } from "#contracts/http/analytics.ts";
import { PERIOD_NAMES, PERIODS } from "#contracts/report/periods.ts";
import { type ReadModelDatabase, readModelDatabase, readModelPool } from "#read-model/database.ts";
import type { TestDatabase } from "#test-kit/database.ts";
import { registryDatabase } from "#test-kit/registry-database.ts";
import { costOf } from "../testing/rows-read.ts";
import { topOffenders } from "./analytics.queries.ts";
import { addDays, type Span, spansOf } from "./period-stats.queries.ts";

let database: TestDatabase;
let pool: pg.Pool;
let db: ReadModelDatabase;

beforeAll(async () => {
  database = await registryDatabase();
  pool = readModelPool(database.url, { name: "test", max: 4, statementMs: 120_000 });
  db = readModelDatabase(pool);
}, 120_000);
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(() => pool.query("truncate reports.report, offenders.person, offenders.member"));

/** A registry of n persons, as SQL over the person's number `n` and the number `k` of one of their reports. */
interface Registry {
  readonly persons: number;
  readonly reports: string;
  /** Days since a report was submitted. */
  readonly age: string;
}

/** Few distinct sums and times, so that many persons differ only by ID. Some persons' newest report is not public. */
async function fill({ persons, reports, age }: Registry): Promise<void> {
  await pool.query(
    `insert into reports.report (id, report_type, verified, address_confirmed, slug, first_name, last_name, title,
       description, city, state, country, currency, amount_cents, total_due_cents, resolution_status,
       chargebacks, copies, files, origin, created_at, updated_at, revision, position, status, blind, match_keys)
     select md5('person ' || n)::uuid, 'chargeback', true, true, 'r-' || n, 'John', 'Smith', 'T', 'D', 'Denver',
       'CO', 'US', 'USD', n, n, 'unresolved', '[]', '[]', '[]', 'live', now(), now(), 0, n::text,
       case when n % 13 = 0 then 'under_review' else 'approved' end, '{}', '{}'
     from generate_series(1, $1::int) n`,
    [persons],
  );
  await pool.query(
    `insert into offenders.person (id, report_count, report_ids, totals, usd_total_cents, shares,
       latest_report_id, latest_at)
     select md5('person ' || n)::uuid, ${reports}, '{}', '[]', n % 3, '{}', md5('person ' || n)::uuid,
       date_trunc('day', now()) - n % 2 * interval '1 day'
     from generate_series(1, $1::int) n`,
    [persons],
  );
  await pool.query(
    `insert into offenders.member (report_id, approved, person_id, identity, keys, report_type, currency,
       amount_cents, chargeback_fee_cents, other_fees_cents, chargebacks_cents, created_at)
     select md5(n || ' ' || k)::uuid, true, md5('person ' || n)::uuid, '{}', '{}', 'chargeback',
       case when k % 3 = 0 then 'EUR' else 'USD' end, 100 * n, k, 1, 0, now() - (${age}) * interval '1 day'
     from generate_series(1, $1::int) n, lateral generate_series(1, ${reports}) k`,
    [persons],
  );
  await pool.query("analyze reports.report; analyze offenders.person; analyze offenders.member");
}

const spanOf = (name: (typeof PERIOD_NAMES)[number]) => spansOf(PERIODS[name], Date.now()).span;

/** Counts every report of the period and ranks everyone, in one statement. */
async function byRankingEverybody({ from, to }: Span) {
  const { rows } = await pool.query(
    `with counted as (
       select person_id as id, count(*)::int as reports from offenders.member
       where person_id is not null and created_at >= $1 and created_at < $2
       group by person_id
     ), foremost as (
       select id, c.reports, p.report_count, p.usd_total_cents, p.latest_at, p.latest_report_id
       from counted c join offenders.person p using (id)
       order by c.reports desc, report_count desc, usd_total_cents desc, latest_at desc, id
       limit ${MAX_NAMED}
     )
     select l.reports, l.report_count, r.slug, array(
         select m.currency || ' ' || sum(m.amount_cents + m.chargeback_fee_cents + m.other_fees_cents)
         from offenders.member m
         where m.person_id = l.id and m.created_at >= $1 and m.created_at < $2
         group by m.currency order by m.currency
       ) as totals
     from foremost l join reports.public_report r on r.id = l.latest_report_id
     order by l.reports desc, l.report_count desc, l.usd_total_cents desc, l.latest_at desc, l.id`,
    [`${from}T00:00:00Z`, `${addDays(to, 1)}T00:00:00Z`],
  );
  return rows.map(({ reports, report_count, slug, totals }) => [
    slug,
    reports,
    report_count,
    ...totals,
  ]);
}

describe("the ranking of offenders in a period", () => {
  const registries: [string, Registry][] = [
    ["nobody", { persons: 0, reports: "2", age: "1" }],
    ["fewer than are named", { persons: 4, reports: "1 + n", age: "k" }],
    ["everyone equally often", { persons: 1500, reports: "2", age: "(n * 7 + k * 31) % 500" }],
    [
      "reports at any time, of some people far more",
      { persons: 2000, reports: "2 + 400 / n", age: "(n * 37 + k * 101) % 700" },
    ],
    [
      "the top 1,000 long ago, the others recently",
      {
        persons: 3000,
        reports: "case when n <= 1100 then 9 + n % 9 else 2 + n % 5 end",
        age: "case when n <= 1100 then 800 + k else (n * 17 + k * 5) % 40 end",
      },
    ],
    [
      "the hundred with the most long ago",
      {
        persons: 1300,
        reports: "case when n <= 105 then 30 when n <= 300 then 12 else 2 end",
        age: "case when n <= 105 then 900 else k % 12 * 3 + n % 4 end",
      },
    ],
  ];

  it.each(registries)("is the same as when ranking everyone: %s", async (_, registry) => {
    await fill(registry);
    for (const name of PERIOD_NAMES) {
      const span = spanOf(name);
      const found = await topOffenders(db, span);
      expect(
        found.map(({ seo_title, reports, all_reports, totals }) => [
          seo_title,
          reports,
          all_reports,
          ...totals.map(({ currency, amount }) => `${currency} ${Math.round(amount * 100)}`),
        ]),
        name,
      ).toEqual(await byRankingEverybody(span));
    }
  });

  it("reads only the period's reports and their persons, however large the registry is", async () => {
    const persons = 20_000;
    // The top 1,000 overall don't decide it: one in 100 of the others was reported in the last week.
    await fill({
      persons,
      reports: "case when n <= 1000 then 3 else 2 end",
      age: "case when n > 1000 and n % 100 = 0 then k else 100 + n % 300 end",
    });
    const ofThePeriod = (2 * (persons - 1000)) / 100;
    let found = 0;
    const costs = await costOf(pool, async (reads) => {
      found = (await topOffenders(reads, spanOf("7days"))).length;
    });
    expect(found).toBeGreaterThan(0);
    for (const { text, rows } of costs)
      expect([text, rows < 1_000 + 3 * ofThePeriod + 150]).toEqual([text, true]);
  });
});
