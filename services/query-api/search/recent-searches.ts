import type { SearchQuery } from "#contracts/http/reports.ts";
import type { Named, Window } from "#http/counters/port.ts";

/**
 * What a caller searched for lately, say in several tabs: turning the pages of such a search is not
 * taken for another one.
 */
export const recentSearches: Named<Window> = {
  name: "search:recent",
  max: 1,
  windowMs: 30 * 60_000,
  whenAway: "memory",
};

/** Whether anything is looked for; without, the request merely browses what is public anyway. */
export function isSearch({ q, state, min, max, reason }: SearchQuery): boolean {
  return q?.trim() || state || reason ? true : min !== undefined || max !== undefined;
}

/** The same for all pages of one search of a caller. */
export function fingerprint(caller: string, query: SearchQuery): string {
  const { q, state, min, max, reason, sort, size } = query;
  return JSON.stringify([caller, q, state, min, max, reason, sort, size]);
}
