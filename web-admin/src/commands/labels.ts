import type { TakenByOther } from "#contracts/http/queue.ts";
import { messageOf } from "../data/api-error.ts";
import { formatClock, formatDay } from "../shared/formats.ts";
import type { ConsoleCommand } from "./report-commands.ts";

/** Returns the message for a failed command. */
export function failureText({ failed, error: what }: ConsoleCommand, error: unknown): string {
  const message = messageOf(error, "");
  return message ? `${what ?? failed}: ${message}` : failed;
}

/** "Ben Lee has this report until 2:05 PM EDT." */
export function takenByText({ by, until }: TakenByOther): string {
  return `${by ?? "Another moderator"} has this report until ${formatClock(until)}.`;
}

/** "Ben Lee and Ida Roe have 3 of these reports, until 2:12 PM EDT at the latest." */
export function heldByText(held: readonly TakenByOther[]): string {
  const names = [...new Set(held.map(({ by }) => by ?? "another moderator"))];
  const who = new Intl.ListFormat("en-US").format(names);
  const last = held.map(({ until }) => until).reduce((a, b) => (a > b ? a : b), "");
  const have = names.length === 1 ? "has" : "have";
  const until =
    held.length === 1 ? `until ${formatClock(last)}` : `until ${formatClock(last)} at the latest`;
  return `${who.charAt(0).toUpperCase()}${who.slice(1)} ${have} ${held.length} of these reports, ${until}.`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WORDS = new Intl.RelativeTimeFormat("en-US");

/**
 * Formats the time until a report is erased: "in 3 days", "in 20 hours", "in 5 minutes". Housekeeping runs once an
 * hour, so an overdue report is erased "within the hour".
 */
export function erasedIn(eraseAt: string, nowMs: number): string {
  const left = Date.parse(eraseAt) - nowMs;
  if (left < MINUTE) return "within the hour";
  if (left < 2 * HOUR) return WORDS.format(Math.floor(left / MINUTE), "minute");
  if (left < 2 * DAY) return WORDS.format(Math.floor(left / HOUR), "hour");
  return WORDS.format(Math.floor(left / DAY), "day");
}

/**
 * Explains what happens to a report that is deleted now. @param eraseHours undefined until the settings are loaded.
 */
export function hiddenFirst(eraseHours: number | undefined, nowMs: number): string {
  const begin = "The report is removed from the site, search results and all lists immediately.";
  const end =
    "Until then, any admin can undo the deletion. After that it's final: only its history stays, without names.";
  if (eraseHours === undefined) return `${begin} It will be erased later. ${end}`;
  const at = new Date(nowMs + eraseHours * HOUR).toISOString();
  const hours = eraseHours === 1 ? "1 hour" : `${eraseHours} hours`;
  return `${begin} It will be erased in ${hours}, on ${formatDay(at)}, ${formatClock(at)}. ${end}`;
}
