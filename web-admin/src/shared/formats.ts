/** Dates, times and counts in readable form. All use `Intl`. */
import { dateFormat } from "#contracts/format-dates.ts";

type Options = Intl.DateTimeFormatOptions;
const DAY: Options = { day: "numeric", month: "short", year: "numeric" };
const CLOCK: Options = { hour: "numeric", minute: "2-digit" };
const ZONE: Options = { timeZoneName: "short" };

/** "May 2, 2026" for the calendar date `2026-05-02`, which has no time zone. */
export function formatDate(date: string): string {
  return format(`${date}T00:00:00Z`, DAY, "UTC");
}

/** "May 2, 2026": the day of an instant, in the reader's time zone unless one is given. */
export function formatDay(instant: string, timeZone?: string): string {
  return format(instant, DAY, timeZone);
}

/** "Saturday, May 2, 2026", for the heading of a day. */
export function formatLongDay(instant: string, timeZone?: string): string {
  return format(instant, { dateStyle: "full" }, timeZone);
}

/** "2:05 PM EDT": the name of the time zone belongs to every time. */
export function formatClock(instant: string, timeZone?: string): string {
  return format(instant, { ...CLOCK, ...ZONE }, timeZone);
}

/** "May 2, 2026, 2:05:09 PM EDT". */
export function formatInstant(instant: string, timeZone?: string): string {
  return format(instant, { ...DAY, ...CLOCK, second: "2-digit", ...ZONE }, timeZone);
}

/** "May 2, 2026, 2:05:09 PM EDT (May 2, 2026, 6:05:09 PM UTC)"; a reader in UTC gets it once. */
export function formatBoth(instant: string, timeZone?: string): string {
  const [own, utc] = [formatInstant(instant, timeZone), formatInstant(instant, "UTC")];
  return own === utc ? own : `${own} (${utc})`;
}

/** "49 d", "3 h", "9 min": how long something waits, in its largest unit. @param ms at least 0. */
export function formatAge(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${Math.max(1, minutes)} min`;
  return minutes < 2880 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} d`;
}

/**
 * "3 days", "1 hour", "less than an hour": how long something lasts, in whole units.
 * @param daysFrom hours from which on days are counted.
 */
export function spanWords(ms: number, daysFrom: number): string {
  const hours = Math.floor(ms / 3_600_000);
  if (hours < 1) return "less than an hour";
  return hours < daysFrom
    ? counted(hours, "hour", "hours")
    : counted(Math.floor(hours / 24), "day", "days");
}

/** "12,345". */
export function formatCount(count: number): string {
  return new Intl.NumberFormat("en-US").format(count);
}

/** "1 report", "2 reports". */
export function counted(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

function format(instant: string, options: Options, timeZone: string | undefined): string {
  const zone: Options = timeZone ? { timeZone } : {};
  return dateFormat({ ...options, ...zone })(new Date(instant));
}
