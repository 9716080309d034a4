import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Static } from "typebox";
import {
  type AnalyticsQuery,
  MAX_NAMED,
  type TopOffender,
  type TopReporter,
} from "#contracts/http/analytics.ts";
import { fromCents } from "#contracts/report/money.ts";
import { DEFAULT_PERIOD, PERIODS } from "#contracts/report/periods.ts";
import type { Currency } from "#contracts/report/words.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import {
  addDays,
  leading,
  loadParts,
  periodStats,
  type Ranked,
  type Span,
  spansOf,
} from "./period-stats.queries.ts";

interface OffenderRow extends Ranked {
  readonly id: string;
  readonly all_reports: number;
  readonly first_name: string;
  readonly last_name: string;
  readonly slug: string;
}

/** Returns the habitual offenders with the most approved reports in the period. Reads only public data. */
export async function topOffenders(db: ReadModelDatabase, span: Span): Promise<TopOffender[]> {
  const rows = await leading(MAX_NAMED, (first) => readOffenders(db, span, first));
  const totals = await readTotals(
    db,
    span,
    rows.map(({ id }) => id),
  );
  return rows.map(({ id, first_name, last_name, slug, reports, all_reports }) => ({
    first_name,
    last_name,
    seo_title: slug,
    reports,
    all_reports,
    totals: totals
      .filter((total) => total.person_id === id)
      .map(({ currency, cents }) => ({ currency, amount: fromCents(cents) })),
  }));
}

/** Condition that this alias's report was submitted in the span. */
const submittedIn = ({ from, to }: Span) =>
  sql`m.created_at >= ${`${from}T00:00:00Z`} and m.created_at < ${`${addDays(to, 1)}T00:00:00Z`}`;

const RANKING = sql`report_count desc, usd_total_cents desc, latest_at desc, id`;

/** @param first how many of the all-time ranking to consider; everyone if undefined. */
async function readOffenders(
  db: ReadModelDatabase,
  span: Span,
  first: number | undefined,
): Promise<OffenderRow[]> {
  const { rows } = await sql<OffenderRow>`
    with ${first === undefined ? ofThePeriod(span) : ofTheRanking(span, first)},
    foremost as (
      select id, c.reports, p.report_count, p.usd_total_cents, p.latest_at, p.latest_report_id
      from counted c join candidate p using (id)
      order by c.reports desc, ${RANKING}
      limit ${MAX_NAMED}
    )
    select l.id, l.reports, l.report_count as all_reports, r.first_name, r.last_name, r.slug,
      ${first === undefined ? sql`null::int` : leastOf(first)} as least
    from foremost l join reports.public_report r on r.id = l.latest_report_id
    order by l.reports desc, l.report_count desc, l.usd_total_cents desc, l.latest_at desc, l.id`.execute(
    db,
  );
  return rows;
}

const CANDIDATE = sql`id, report_count, usd_total_cents, latest_at, latest_report_id`;

/** `candidate`, the first of the ranking, and `counted`, the number of each one's reports in the period. */
const ofTheRanking = (span: Span, first: number) => sql`
  candidate as materialized (
    select ${CANDIDATE} from offenders.person order by ${RANKING} limit ${first}
  ), counted as (
    select m.person_id as id, count(*)::int as reports
    from offenders.member m
    where m.person_id = any(array(select id from candidate)) and ${submittedIn(span)}
    group by m.person_id
  )`;

/** The fewest all-time reports that a candidate has; null if the ranking ends earlier. */
const leastOf = (first: number) =>
  sql`(select case when count(*) < ${first} then null else min(report_count) end from candidate)`;

/**
 * `counted`, everyone's reports in the period, and `candidate`, those with at least as many as the last
 * one listed. Only these are looked up, so reads grow with the period and not with the registry. Each
 * person of a report has a row: the projection writes both in one transaction.
 */
const ofThePeriod = (span: Span) => sql`
  counted as materialized (
    select m.person_id as id, count(*)::int as reports
    from offenders.member m
    where m.person_id is not null and ${submittedIn(span)}
    group by m.person_id
  ), candidate as (
    select ${CANDIDATE} from offenders.person
    where id = any(array(
      select id from counted where reports >= (
        select min(reports) from (
          select reports from counted order by reports desc limit ${MAX_NAMED}
        ) most
      )
    ))
  )`;

async function readTotals(db: ReadModelDatabase, span: Span, persons: readonly string[]) {
  const { rows } = await sql<{
    readonly person_id: string;
    readonly currency: Currency;
    readonly cents: number;
  }>`
    select m.person_id, m.currency,
      sum(m.amount_cents + m.chargeback_fee_cents + m.other_fees_cents + m.chargebacks_cents)::float8
        as cents
    from offenders.member m
    where m.person_id = any(${[...persons]}::uuid[]) and ${submittedIn(span)}
    group by 1, 2 order by 2`.execute(db);
  return rows;
}

interface ReporterRow extends Ranked {
  readonly reporter: string;
  readonly approved: number;
}

async function topReporters(db: ReadModelDatabase, span: Span): Promise<TopReporter[]> {
  const rows = await leading(MAX_NAMED, (first) => readReporters(db, span, first));
  const reporters = rows.map(({ reporter }) => reporter);
  const [totals, names] = await Promise.all([
    readReporterTotals(db, span, reporters),
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
    select reporter, c.reports, c.approved, ${leastOfReporters(first)} as least
    from counted c join ranked using (reporter)
    order by c.reports desc, ranked.total desc, reporter
    limit ${MAX_NAMED}`.execute(db);
  return rows;
}

/** Null if the ranking contains everyone. */
function leastOfReporters(first: number | undefined) {
  return sql`(
    select case when count(*) < ${first ?? 0} or ${first === undefined} then null else min(total) end
    from ranked
  )`;
}

async function readReporterTotals(
  db: ReadModelDatabase,
  { from, to }: Span,
  reporters: readonly string[],
) {
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

/** The public name on the newest report, or the masked address. */
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

/** Returns the figures of a period that ends today. A part that couldn't be read is null. */
export async function readAnalytics(
  db: ReadModelDatabase,
  asked: Static<typeof AnalyticsQuery>["period"] = DEFAULT_PERIOD,
  log: FastifyBaseLogger,
) {
  const name = asked === "30d" ? "30days" : asked;
  const now = Date.now();
  const period = PERIODS[name];
  const { span } = spansOf(period, now);
  const parts = await loadParts(
    {
      figures: () => periodStats(db, period, now),
      top_reporters: () => topReporters(db, span),
      top_offenders: () => topOffenders(db, span),
    },
    log,
  );
  return { period: name, time_zone: "UTC" as const, ...parts };
}
