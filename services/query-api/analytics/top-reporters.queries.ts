import { sql } from "kysely";
import { MOST_NAMED, type TopReporter } from "#contracts/http/analytics.ts";
import { fromCents } from "#contracts/report/money.ts";
import type { Currency } from "#contracts/report/words.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { leading, type Ranked, type Span } from "./period-figures.queries.ts";

interface ReporterRow extends Ranked {
  readonly reporter: string;
  readonly approved: number;
}

/** Those who sent the most reports of the period. */
export async function topReporters(db: ReadModelDatabase, span: Span): Promise<TopReporter[]> {
  const rows = await leading(MOST_NAMED, (first) => readReporters(db, span, first));
  const reporters = rows.map(({ reporter }) => reporter);
  const [totals, names] = await Promise.all([
    readTotals(db, span, reporters),
    Promise.all(reporters.map((reporter) => nameOf(db, reporter))),
  ]);
  return rows.map(({ reporter, reports, approved }, i) => ({
    name: names[i] ?? null,
    ...(reporter.startsWith(ACCOUNT) ? { account_id: reporter.slice(ACCOUNT.length) } : {}),
    reports,
    approved,
    totals: totals
      .filter((total) => total.reporter === reporter)
      .map(({ currency, cents }) => ({ currency, amount: fromCents(cents) })),
  }));
}

const ACCOUNT = "account:";
const ADDRESS = "address:";

async function readReporters(
  db: ReadModelDatabase,
  { from, to }: Span,
  first: number | undefined,
): Promise<ReporterRow[]> {
  const ranking = sql`
    select reporter, reports as total from reports.figure_reporter
    order by reports desc, reporter`;
  const { rows } = await sql<ReporterRow>`
    with ranked as materialized (${ranking} limit ${first ?? null}),
    counted as (
      select d.reporter, sum(d.reports)::int as reports, sum(d.approved)::int as approved
      from reports.figure_reporter_day d
      where d.day between ${from} and ${to}
        and (${first === undefined} or d.reporter = any(array(select reporter from ranked)))
      group by d.reporter
    )
    select reporter, c.reports, c.approved, ${leastOf(first)} as least
    from counted c join ranked using (reporter)
    order by c.reports desc, ranked.total desc, reporter
    limit ${MOST_NAMED}`.execute(db);
  return rows;
}

/** Null when the ranking holds everybody. */
function leastOf(first: number | undefined) {
  return sql`(
    select case when count(*) < ${first ?? 0} or ${first === undefined} then null else min(total) end
    from ranked
  )`;
}

async function readTotals(db: ReadModelDatabase, { from, to }: Span, reporters: readonly string[]) {
  const { rows } = await sql<{
    readonly reporter: string;
    readonly currency: Currency;
    readonly cents: number;
  }>`
    select reporter, currency, sum(owed_cents)::float8 as cents
    from reports.figure_reporter_day
    where reporter = any(${[...reporters]}) and day between ${from} and ${to}
    group by reporter, currency order by currency`.execute(db);
  return rows;
}

/** The public name on the newest report, or the mask of the address. */
async function nameOf(db: ReadModelDatabase, reporter: string): Promise<string | null> {
  const reports = db
    .selectFrom("reports.report")
    .select(["public_username", "reporter_email_mask"])
    .limit(1);
  const newest = reporter.startsWith(ACCOUNT)
    ? reports
        .where("owner_id", "=", reporter.slice(ACCOUNT.length))
        .orderBy(sql`owned_since desc nulls last`)
    : reports
        .where("reporter_blind", "=", reporter.slice(ADDRESS.length))
        .where("owner_id", "is", null)
        .orderBy("created_at", "desc");
  const row = await newest.executeTakeFirst();
  return row ? row.public_username || row.reporter_email_mask : null;
}
