import { formatClock, formatDay } from "../../shared/formats.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WORDS = new Intl.RelativeTimeFormat("en-US");

/**
 * When a report is erased, from now: "in 3 days", "in 20 hours", "in 5 minutes". Housekeeping comes once an hour,
 * so one that is due is erased "within the hour".
 */
export function erasedIn(eraseAt: string, nowMs: number): string {
  const left = Date.parse(eraseAt) - nowMs;
  if (left < MINUTE) return "within the hour";
  if (left < 2 * HOUR) return WORDS.format(Math.floor(left / MINUTE), "minute");
  if (left < 2 * DAY) return WORDS.format(Math.floor(left / HOUR), "hour");
  return WORDS.format(Math.floor(left / DAY), "day");
}

/** What becomes of a report that is deleted now. @param eraseHours undefined while the settings are not known. */
export function hiddenFirst(eraseHours: number | undefined, nowMs: number): string {
  const begin = "The report leaves the site, the search and every list immediately.";
  const end =
    "Until then, any admin can undo the deletion. After that it's final: only its history stays, without names.";
  if (eraseHours === undefined) return `${begin} It will be erased later. ${end}`;
  const at = new Date(nowMs + eraseHours * HOUR).toISOString();
  const hours = eraseHours === 1 ? "1 hour" : `${eraseHours} hours`;
  return `${begin} It will be erased in ${hours}, on ${formatDay(at)}, ${formatClock(at)}. ${end}`;
}
