import type { SearchQuery } from "#contracts/http/reports.ts";
import type { Named, Window } from "#http/counters/port.ts";

/**
 * What a caller searched for recently, perhaps in several tabs. Turning the pages of such a search
 * does not count as a new one.
 */
export const recentSearches: Named<Window> = {
  name: "search:recent",
  max: 1,
  windowMs: 30 * 60_000,
  whenAway: "memory",
};

/** Whether the request searches for anything. Without criteria it only browses public reports. */
export function isSearch({ q, state, country, min, max, reason }: SearchQuery): boolean {
  return q?.trim() || state || country || reason ? true : min !== undefined || max !== undefined;
}

/** Identical for all pages of one caller's search. */
export function fingerprint(caller: string, query: SearchQuery): string {
  const { q, state, country, min, max, reason, sort, size } = query;
  return JSON.stringify([caller, q, state, country, min, max, reason, sort, size]);
}
