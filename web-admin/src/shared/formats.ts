/** Dates as people read them, in en-US through `Intl`. */

const LOCALE = "en-US";

/** "May 2, 2026" for the calendar date `2026-05-02`, which has no time zone. */
export function formatDate(date: string): string {
  return new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeZone: "UTC" }).format(
    new Date(`${date}T00:00:00Z`),
  );
}

/** "May 2, 2026": the day of an instant, in the reader's time zone unless another is named. */
export function formatDay(instant: string, timeZone?: string): string {
  return new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", ...zone(timeZone) }).format(
    new Date(instant),
  );
}

/** "Saturday, May 2, 2026", for the heading of a day. */
export function formatLongDay(instant: string, timeZone?: string): string {
  return new Intl.DateTimeFormat(LOCALE, { dateStyle: "full", ...zone(timeZone) }).format(
    new Date(instant),
  );
}

/** "2:05 PM". */
export function formatClock(instant: string, timeZone?: string): string {
  return new Intl.DateTimeFormat(LOCALE, { timeStyle: "short", ...zone(timeZone) }).format(
    new Date(instant),
  );
}

/** "May 2, 2026, 2:05:09 PM". */
export function formatInstant(instant: string, timeZone?: string): string {
  return new Intl.DateTimeFormat(LOCALE, {
    dateStyle: "medium",
    timeStyle: "medium",
    ...zone(timeZone),
  }).format(new Date(instant));
}

/** "12,345". */
export function formatCount(count: number): string {
  return new Intl.NumberFormat(LOCALE).format(count);
}

/** "1 report", "2 reports". */
export function counted(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

function zone(timeZone: string | undefined): { timeZone?: string } {
  return timeZone ? { timeZone } : {};
}
