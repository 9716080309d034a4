import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { PeriodStats, SpanStats } from "#contracts/http/analytics.ts";
import { fromCents } from "#contracts/report/money.ts";
import type { Period } from "#contracts/report/periods.ts";
import type { Currency } from "#contracts/report/words.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { type BucketCount, waitAt } from "#read-model/wait-buckets.ts";

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

/** Returns the figures of the period that ends today. Reads a few rows per day, however many reports there are. */
export async function periodStats(
  db: ReadModelDatabase,
  period: Period,
  nowMs: number,
): Promise<PeriodStats> {
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

/** How long the reports decided in each span had waited. */
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
): SpanStats {
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

/** Sums by currency, omitting zeros. */
function totalsOf(rows: readonly DayRow[], cents: (row: DayRow) => number) {
  const sums = new Map<Currency, number>();
  for (const row of rows) sums.set(row.currency, (sums.get(row.currency) ?? 0) + cents(row));
  return [...sums]
    .filter(([, sum]) => sum !== 0)
    .map(([currency, sum]) => ({ currency, amount: fromCents(sum) }));
}

type Loads = Readonly<Record<string, () => Promise<unknown>>>;
type Loaded<L extends Loads> = { [Name in keyof L]: Awaited<ReturnType<L[Name]>> | null };

/** Loads all parts of a reply concurrently. A part that fails is null, and listed in `failed`. */
export async function loadParts<L extends Loads>(
  loads: L,
  log: Pick<FastifyBaseLogger, "error">,
): Promise<Loaded<L> & { readonly failed: (keyof L & string)[] }> {
  const failed: (keyof L & string)[] = [];
  const parts = await Promise.all(
    Object.entries(loads).map(async ([name, load]) => {
      try {
        return [name, await load()] as const;
      } catch (err) {
        log.error({ err, part: name }, "a part of the reply could not be loaded");
        failed.push(name);
        return [name, null] as const;
      }
    }),
  );
  return { ...(Object.fromEntries(parts) as Loaded<L>), failed };
}

/** Someone's counts in a period and in the all-time ranking. */
export interface Ranked {
  readonly reports: number;
  /** The fewest all-time reports of anyone considered; null if everyone was. */
  readonly least: number | null;
}

/** How many of the all-time ranking to consider, in successive attempts. */
const TRIES = [100, 1000];

/**
 * Returns those with the most reports in a period. Considers the first of the all-time ranking, which has
 * an index. No one below them can have more reports in the period than in total, so the result is
 * correct once its last row has at least as many in the period as the last one considered has in total.
 * Otherwise all of the period's reports are read.
 * @param among counts the period's reports of the first of the ranking, sorted by reports and then as in
 * the ranking; `undefined` for everyone.
 */
export async function leading<Row extends Ranked>(
  most: number,
  among: (first: number | undefined) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  for (const first of TRIES) {
    const rows = await among(first);
    const least = rows[0]?.least;
    if (least === null) return rows.slice(0, most);
    const last = rows[most - 1];
    if (last && least !== undefined && last.reports >= least) return rows.slice(0, most);
  }
  return (await among(undefined)).slice(0, most);
}

/** Days in UTC as `YYYY-MM-DD`, both inclusive. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

type Step = Period["step"];

const DAY_MS = 86_400_000;

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const msOf = (day: string) => Date.parse(`${day}T00:00:00Z`);

export function addDays(day: string, days: number): string {
  return dayOf(msOf(day) + days * DAY_MS);
}

/** Returns the period that ends on the day of this time, and the same number of days right before it. */
export function spansOf(
  { days, months }: Period,
  nowMs: number,
): { readonly span: Span; readonly previous: Span } {
  const to = dayOf(nowMs);
  const from = addDays(days === undefined ? monthsBefore(to, months ?? 1) : addDays(to, -days), 1);
  const length = Math.round((msOf(to) - msOf(from)) / DAY_MS) + 1;
  return { span: { from, to }, previous: { from: addDays(from, -length), to: addDays(from, -1) } };
}

/** The same day some months earlier, or the last day of that month. */
function monthsBefore(day: string, months: number): string {
  const date = new Date(msOf(day));
  const wanted = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months);
  const first = date.getTime();
  date.setUTCMonth(date.getUTCMonth() + 1);
  const length = Math.round((date.getTime() - first) / DAY_MS);
  return dayOf(first + (Math.min(wanted, length) - 1) * DAY_MS);
}

/** The first day of the step that contains the day. Weeks start on Monday, as in ISO 8601. */
function stepStart(day: string, step: Step): string {
  if (step === "day") return day;
  if (step === "month") return `${day.slice(0, 7)}-01`;
  return addDays(day, -((new Date(msOf(day)).getUTCDay() + 6) % 7));
}

/** Cuts the span into steps, in order. The first and the last may be shorter. */
export function stepsOf({ from, to }: Span, step: Step): Span[] {
  const steps: Span[] = [];
  for (let first = from; first <= to; ) {
    const start = stepStart(first, step);
    const next = stepStart(addDays(start, { day: 1, week: 7, month: 31 }[step]), step);
    const last = addDays(next, -1);
    steps.push({ from: first, to: last < to ? last : to });
    first = next;
  }
  return steps;
}
