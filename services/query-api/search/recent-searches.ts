import { createHash } from "node:crypto";
import type { SearchQuery } from "#contracts/http/reports.ts";

/** Callers that are remembered, at most; those who searched longest ago go first. */
const CALLERS = 20_000;
/** Searches of one caller that may be open at a time, say in several tabs. */
const OPEN_SEARCHES = 8;
const FORGOTTEN_AFTER_MS = 30 * 60_000;

/**
 * Remembers, in memory and as hashes, what a caller searched for, so that turning the pages of a
 * search is not taken for another search. Another process does not know: there the page counts.
 */
export class RecentSearches {
  readonly #byCaller = new Map<string, Map<string, number>>();

  /** Notes a search that was let through. @param now in milliseconds. */
  note(caller: string, query: SearchQuery, now: number): void {
    const known = this.#byCaller.get(caller) ?? new Map<string, number>();
    const print = fingerprint(query);
    known.delete(print);
    known.set(print, now);
    if (known.size > OPEN_SEARCHES) known.delete(known.keys().next().value as string);
    this.#byCaller.delete(caller);
    this.#byCaller.set(caller, known);
    if (this.#byCaller.size > CALLERS)
      this.#byCaller.delete(this.#byCaller.keys().next().value as string);
  }

  /** Whether the request asks for another page of a search that this caller made. */
  isPageTurn(caller: string, query: SearchQuery, now: number): boolean {
    if (query.page === undefined) return false;
    const at = this.#byCaller.get(caller)?.get(fingerprint(query));
    return at !== undefined && now - at < FORGOTTEN_AFTER_MS;
  }
}

/** Whether anything is looked for; without, the request merely browses what is public anyway. */
export function isSearch({ q, state, min, max, reason }: SearchQuery): boolean {
  return q?.trim() || state || reason ? true : min !== undefined || max !== undefined;
}

function fingerprint({ q, state, min, max, reason, sort, size }: SearchQuery): string {
  return createHash("sha256")
    .update(JSON.stringify([q, state, min, max, reason, sort, size]))
    .digest("base64url");
}
