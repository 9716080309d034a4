import type { Period } from "#contracts/report/periods.ts";

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
export function stepStart(day: string, step: Step): string {
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
