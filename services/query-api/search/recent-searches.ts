import { createHash } from "node:crypto";
import type { SearchQuery } from "#contracts/http/reports.ts";
import type { Memory, Named } from "#kit/counters/port.ts";

/**
 * What a caller searched for lately, say in several tabs: turning the pages of such a search is not
 * taken for another one.
 */
export const recentSearches: Named<Memory> = {
  name: "search:recent",
  keep: 8,
  forMs: 30 * 60_000,
  whenAway: "memory",
};

/** Whether anything is looked for; without, the request merely browses what is public anyway. */
export function isSearch({ q, state, min, max, reason }: SearchQuery): boolean {
  return q?.trim() || state || reason ? true : min !== undefined || max !== undefined;
}

/** The same for all pages of one search, as a hash. */
export function fingerprint({ q, state, min, max, reason, sort, size }: SearchQuery): string {
  return createHash("sha256")
    .update(JSON.stringify([q, state, min, max, reason, sort, size]))
    .digest("base64url");
}
