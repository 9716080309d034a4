import { sql } from "kysely";
import { MOST_NAMED, type TopOffender } from "#contracts/http/analytics.ts";
import { fromCents } from "#contracts/report/money.ts";
import type { Currency } from "#contracts/report/words.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { addDays, leading, type Ranked, type Span } from "./period-figures.queries.ts";

interface OffenderRow extends Ranked {
  readonly id: string;
  readonly all_reports: number;
  readonly first_name: string;
  readonly last_name: string;
  readonly slug: string;
}

/** Habitual offenders with the most approved reports of the period. What it reads is public. */
export async function topOffenders(db: ReadModelDatabase, span: Span): Promise<TopOffender[]> {
  const rows = await leading(MOST_NAMED, (first) => readOffenders(db, span, first));
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

/** Condition that a report of this alias was submitted in the span. */
const submittedIn = ({ from, to }: Span) =>
  sql`m.created_at >= ${`${from}T00:00:00Z`} and m.created_at < ${`${addDays(to, 1)}T00:00:00Z`}`;

const RANKING = sql`report_count desc, usd_total_cents desc, latest_at desc, id`;

/** @param first how many of the ranking of all time are looked at; everybody when undefined. */
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
      limit ${MOST_NAMED}
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

/** `candidate`, the first of the ranking, and `counted`, the reports of the period of each. */
const ofTheRanking = (span: Span, first: number) => sql`
  candidate as materialized (
    select ${CANDIDATE} from offenders.person order by ${RANKING} limit ${first}
  ), counted as (
    select m.person_id as id, count(*)::int as reports
    from offenders.member m
    where m.person_id = any(array(select id from candidate)) and ${submittedIn(span)}
    group by m.person_id
  )`;

/** The fewest reports of all time that a candidate has; null when the ranking ends before. */
const leastOf = (first: number) =>
  sql`(select case when count(*) < ${first} then null else min(report_count) end from candidate)`;

/**
 * `counted`, the reports of the period of everybody, and `candidate`, those with as many as the last that is
 * named, or more. Only these are looked up, so what is read grows with the period and not with the registry.
 * Each person of a report has a row: the projection writes both in one transaction.
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
          select reports from counted order by reports desc limit ${MOST_NAMED}
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
