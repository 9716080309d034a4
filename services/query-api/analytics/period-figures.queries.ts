import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { PeriodFigures, SpanFigures } from "#contracts/http/analytics.ts";
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

/** Figures of the period that ends today. It reads a few rows for each day, however many reports there are. */
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

type Loads = Readonly<Record<string, () => Promise<unknown>>>;
type Loaded<L extends Loads> = { [Name in keyof L]: Awaited<ReturnType<L[Name]>> | null };

/** Loads all parts of an answer at once. One that fails is null, and named in `failed`. */
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
        log.error({ err, part: name }, "a part of the answer could not be read");
        failed.push(name);
        return [name, null] as const;
      }
    }),
  );
  return { ...(Object.fromEntries(parts) as Loaded<L>), failed };
}

/** Someone as a ranking of all time and a period count them. */
export interface Ranked {
  readonly reports: number;
  /** The fewest reports of all time that any of those looked at has; null when all were looked at. */
  readonly least: number | null;
}

/** How many of the ranking of all time are looked at, one try after the other. */
const TRIES = [100, 1000];

/**
 * Those with the most reports of a period. It looks at the first of the ranking of all time, which an index
 * keeps. No one behind them can have more reports in the period than of all time, so they are the
 * right ones as soon as the last of them has as many in the period as anyone behind has of all time.
 * Otherwise all reports of the period are read.
 * @param among counts the reports of the period of the first of the ranking, sorted by reports and
 *   then as the ranking is; `undefined` for everyone.
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

/** Days in UTC as `YYYY-MM-DD`, first and last included. */
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

/** The period that ends at the day of this time, and the same number of days right before. */
export function spansOf(
  { days, months }: Period,
  nowMs: number,
): { readonly span: Span; readonly previous: Span } {
  const to = dayOf(nowMs);
  const from = addDays(days === undefined ? monthsBefore(to, months ?? 1) : addDays(to, -days), 1);
  const length = Math.round((msOf(to) - msOf(from)) / DAY_MS) + 1;
  return { span: { from, to }, previous: { from: addDays(from, -length), to: addDays(from, -1) } };
}

/** The same day some months earlier, or the last one of that month. */
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

/** The first day of the step that the day is in. Weeks begin on Monday, as in ISO 8601. */
function stepStart(day: string, step: Step): string {
  if (step === "day") return day;
  if (step === "month") return `${day.slice(0, 7)}-01`;
  return addDays(day, -((new Date(msOf(day)).getUTCDay() + 6) % 7));
}

/** The span cut into steps, in order. The first and the last may be shorter. */
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
