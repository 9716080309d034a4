/** Formatting of dates, times and counts, based on `Intl`. */
import { dateFormat } from "#contracts/format-dates.ts";

type Options = Intl.DateTimeFormatOptions;
const DAY: Options = { day: "numeric", month: "short", year: "numeric" };
const CLOCK: Options = { hour: "numeric", minute: "2-digit" };
const ZONE: Options = { timeZoneName: "short" };

/** Formats a calendar date, which has no time zone: "May 2, 2026" for `2026-05-02`. */
export function formatDate(date: string): string {
  return format(`${date}T00:00:00Z`, DAY, "UTC");
}

/** Formats the day of an instant, e.g. "May 2, 2026". Defaults to the reader's time zone. */
export function formatDay(instant: string, timeZone?: string): string {
  return format(instant, DAY, timeZone);
}

/** Formats a day for a heading, e.g. "Saturday, May 2, 2026". */
export function formatLongDay(instant: string, timeZone?: string): string {
  return format(instant, { dateStyle: "full" }, timeZone);
}

/** Formats the time of day, e.g. "2:05 PM EDT". It always includes the time zone. */
export function formatClock(instant: string, timeZone?: string): string {
  return format(instant, { ...CLOCK, ...ZONE }, timeZone);
}

/** Formats an instant, e.g. "May 2, 2026, 2:05:09 PM EDT". */
export function formatInstant(instant: string, timeZone?: string): string {
  return format(instant, { ...DAY, ...CLOCK, second: "2-digit", ...ZONE }, timeZone);
}

/**
 * Formats local time and UTC, e.g. "May 2, 2026, 2:05:09 PM EDT (May 2, 2026, 6:05:09 PM UTC)"; only once if they
 * match.
 */
export function formatBoth(instant: string, timeZone?: string): string {
  const [own, utc] = [formatInstant(instant, timeZone), formatInstant(instant, "UTC")];
  return own === utc ? own : `${own} (${utc})`;
}

/** Formats a waiting time in its largest unit, e.g. "49 d", "3 h" or "9 min". @param ms at least 0. */
export function formatAge(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${Math.max(1, minutes)} min`;
  return minutes < 2880 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} d`;
}

/**
 * Formats a duration in whole units, e.g. "3 days", "1 hour" or "less than an hour".
 * @param daysFrom hours from which on time is given in days.
 */
export function durationText(ms: number, daysFrom: number): string {
  const hours = Math.floor(ms / 3_600_000);
  if (hours < 1) return "less than an hour";
  return hours < daysFrom
    ? counted(hours, "hour", "hours")
    : counted(Math.floor(hours / 24), "day", "days");
}

/** Formats a count, e.g. "12,345". */
export function formatCount(count: number): string {
  return new Intl.NumberFormat("en-US").format(count);
}

/** Formats a count with its noun, e.g. "1 report" or "2 reports". */
export function counted(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

function format(instant: string, options: Options, timeZone: string | undefined): string {
  const zone: Options = timeZone ? { timeZone } : {};
  return dateFormat({ ...options, ...zone })(new Date(instant));
}
