import type { TakenByOther } from "#contracts/http/queue.ts";
import { formatClock } from "../../shared/formats.ts";

/** "Ben Lee has this report until 2:05 PM EDT." */
export function takenWords({ by, until }: TakenByOther): string {
  return `${by ?? "Another moderator"} has this report until ${formatClock(until)}.`;
}

/** "Ben Lee and Ida Roe have 3 of these reports, until 2:12 PM EDT at the latest." */
export function heldWords(held: readonly TakenByOther[]): string {
  const names = [...new Set(held.map(({ by }) => by ?? "another moderator"))];
  const who = new Intl.ListFormat("en-US").format(names);
  const last = held.map(({ until }) => until).reduce((a, b) => (a > b ? a : b), "");
  const have = names.length === 1 ? "has" : "have";
  const until =
    held.length === 1 ? `until ${formatClock(last)}` : `until ${formatClock(last)} at the latest`;
  return `${who.charAt(0).toUpperCase()}${who.slice(1)} ${have} ${held.length} of these reports, ${until}.`;
}
