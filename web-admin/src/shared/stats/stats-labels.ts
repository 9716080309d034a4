import { dateFormat } from "#contracts/format-dates.ts";
import type { SpanStats } from "#contracts/http/analytics.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { formatCount, formatDate } from "../formats.ts";

export interface Total {
  readonly currency: string;
  readonly amount: number;
}

const HOUR = 60;
const DAY = 24 * HOUR;

/**
 * Formats a waiting time, e.g. "12 min", "5.5 h" or "3.2 days", as exactly as the registry knows it; "None" for null.
 */
export function formatWait(minutes: number | null): string {
  if (minutes === null) return "None";
  if (minutes < HOUR) return `${Math.round(minutes)} min`;
  if (minutes < 2 * DAY) return `${oneDigit(minutes / HOUR)} h`;
  return `${oneDigit(minutes / DAY)} days`;
}

/** Returns the unit that gives round numbers on an axis of waiting times up to `most` minutes. */
export function unitOfWaits(most: number): { readonly name: string; readonly minutes: number } {
  if (most < 2 * HOUR) return { name: "minutes", minutes: 1 };
  return most < 3 * DAY ? { name: "hours", minutes: HOUR } : { name: "days", minutes: DAY };
}

function oneDigit(value: number): string {
  return new Intl.NumberFormat("en-US", { maximumFractionDigits: value < 10 ? 1 : 0 }).format(
    value,
  );
}

/** Formats totals, e.g. "$1,200.00 · €80.00": different currencies are never added up. */
export function formatTotals(totals: readonly Total[]): string {
  if (totals.length === 0) return "None";
  return totals.map(({ amount, currency }) => formatMoney(amount, currency)).join("\u00a0· ");
}

/** Formats a span of days, e.g. "May 2, 2026" or "Apr 27, 2026 to May 3, 2026". */
export function formatSpan({ from, to }: Pick<SpanStats, "from" | "to">): string {
  return from === to ? formatDate(from) : `${formatDate(from)} to ${formatDate(to)}`;
}

const dayOfAxis = dateFormat({ day: "numeric", month: "short", timeZone: "UTC" });
const monthOfAxis = dateFormat({ month: "short", year: "numeric", timeZone: "UTC" });

/** Formats an axis label: "May 2" for a day or the first day of a week, "May 2026" for a month. */
export function axisLabel(day: string, step: "day" | "week" | "month"): string {
  return (step === "month" ? monthOfAxis : dayOfAxis)(new Date(`${day}T00:00:00Z`));
}

/** Returns e.g. "12 more than in the previous 30 days" or "same as in the previous 30 days". */
export function comparedWith(now: number, before: number, days: number): string {
  const span = days === 1 ? "on the previous day" : `in the previous ${formatCount(days)} days`;
  if (now === before) return `same as ${span}`;
  const difference = formatCount(Math.abs(now - before));
  return `${difference} ${now > before ? "more" : "fewer"} than ${span}`;
}

/** Returns the number of days of a span, both ends included. */
export function daysOf({ from, to }: Pick<SpanStats, "from" | "to">): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
}

/** Returns the currencies in the data, in alphabetical order. */
export function currenciesOf(points: readonly SpanStats[]): string[] {
  const totals = points.flatMap((point) => [...point.submitted_totals, ...point.approved_totals]);
  return [...new Set(totals.map(({ currency }) => currency))].sort();
}

/** Returns the total in one currency; 0 if there is none. */
export function amountIn(totals: readonly Total[], currency: string): number {
  return totals.find((total) => total.currency === currency)?.amount ?? 0;
}

/** A value beyond this multiple of the median is an outlier. */
const FAR = 10;
/** With fewer values, none is an outlier. */
const MIN_VALUES = 3;
/** Headroom above the highest value that is shown in full. */
const ROOM = 1.2;

/**
 * Returns the upper end of an axis that keeps a few outliers from flattening the rest.
 * @returns undefined if no value is cut off.
 */
export function axisEnd(values: readonly (number | null)[]): number | undefined {
  const sorted = values.flatMap((value) => value || []).sort((a, b) => a - b);
  const median = sorted[Math.floor((sorted.length - 1) / 2)];
  if (sorted.length < MIN_VALUES || median === undefined) return undefined;
  const highest = sorted.findLast((value) => value <= median * FAR) ?? median;
  const end = highest * ROOM;
  return (sorted.at(-1) ?? 0) > highest * 2 ? end : undefined;
}

const MAX_NAMED = 3;

/**
 * Returns e.g. "Too tall to show in full: Nov 3, $9,999,999.00; Nov 4, $1,000,000.00."; undefined if nothing is cut
 * off.
 */
export function clippedText(
  end: number | undefined,
  points: readonly string[],
  series: readonly (readonly (number | null)[])[],
  format: (value: number) => string,
): string | undefined {
  if (end === undefined) return undefined;
  const cut = series.flatMap((values) =>
    values.flatMap((value, i) =>
      value !== null && value > end ? [`${points[i]}, ${format(value)}`] : [],
    ),
  );
  const more = cut.length > MAX_NAMED ? ` and ${cut.length - MAX_NAMED} more` : "";
  return `Too tall to show in full: ${cut.slice(0, MAX_NAMED).join("; ")}${more}.`;
}
