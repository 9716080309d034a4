import { sql } from "kysely";
import type { PeriodFigures, SpanFigures } from "#contracts/http/analytics.ts";
import { fromCents } from "#contracts/report/money.ts";
import type { Period } from "#contracts/report/periods.ts";
import type { Currency } from "#contracts/report/words.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { type BucketCount, waitAt } from "#read-model/wait-buckets.ts";
import { type Span, spansOf, stepsOf } from "./parts.ts";

interface DayRow {
  readonly day: string;
  readonly currency: Currency;
  readonly submitted: number;
  readonly approved: number;
  readonly rejected: number;
  readonly submitted_cents: number;
  readonly approved_cents: number;
}

interface WaitRow extends BucketCount {
  readonly span: number;
}

/**
 * Figures of the period that ends today. It reads a few rows for each day, however many reports
 * there are.
 */
export async function periodFigures(
  db: ReadModelDatabase,
  period: Period,
  nowMs: number,
): Promise<PeriodFigures> {
  const { span, previous } = spansOf(period, nowMs);
  const spans = [span, previous, ...stepsOf(span, period.step)];
  const [days, waits] = await Promise.all([
    readDays(db, { from: previous.from, to: span.to }),
    readWaits(db, spans),
  ]);
  const [total, before, ...points] = spans.map((of, i) =>
    figuresOf(
      of,
      days.filter(({ day }) => of.from <= day && day <= of.to),
      waits.filter((wait) => wait.span === i),
    ),
  );
  if (!total || !before) throw new Error("every span has figures");
  return { step: period.step, total, previous: before, points };
}

async function readDays(db: ReadModelDatabase, { from, to }: Span): Promise<DayRow[]> {
  const { rows } = await sql<DayRow>`
    select day, currency, submitted, approved, rejected,
      submitted_cents::float8 as submitted_cents, approved_cents::float8 as approved_cents
    from reports.figure_day where day between ${from} and ${to} order by currency`.execute(db);
  return rows;
}

/** How long the reports decided in each of the spans had waited. */
async function readWaits(db: ReadModelDatabase, spans: readonly Span[]): Promise<WaitRow[]> {
  const { rows } = await sql<WaitRow>`
    select (s.number - 1)::int as span, w.bucket, sum(w.reports)::int as reports
    from unnest(${spans.map(({ from }) => from)}::date[], ${spans.map(({ to }) => to)}::date[])
      with ordinality s(first, last, number)
    join reports.figure_wait w on w.day between s.first and s.last
    group by 1, 2`.execute(db);
  return rows;
}

function figuresOf(
  { from, to }: Span,
  rows: readonly DayRow[],
  waited: readonly WaitRow[],
): SpanFigures {
  const sum = (of: (row: DayRow) => number) => rows.reduce((n, row) => n + of(row), 0);
  return {
    from,
    to,
    submitted: sum((row) => row.submitted),
    approved: sum((row) => row.approved),
    rejected: sum((row) => row.rejected),
    submitted_totals: totalsOf(rows, (row) => row.submitted_cents),
    approved_totals: totalsOf(rows, (row) => row.approved_cents),
    median_minutes: waitAt(0.5, waited),
    p95_minutes: waitAt(0.95, waited),
  };
}

/** Sums by currency, without those that are 0. */
function totalsOf(rows: readonly DayRow[], cents: (row: DayRow) => number) {
  const sums = new Map<Currency, number>();
  for (const row of rows) sums.set(row.currency, (sums.get(row.currency) ?? 0) + cents(row));
  return [...sums]
    .filter(([, sum]) => sum !== 0)
    .map(([currency, sum]) => ({ currency, amount: fromCents(sum) }));
}
