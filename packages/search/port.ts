import type { Highlights, MatchKind, SearchableText } from "./matching.ts";

/**
 * Full-text search over approved reports, as the rest of the system sees it. The engine behind it (`postgres/`,
 * `opensearch/`) stores what `matching.ts` computes and passes `contract-suite.ts`. It receives nothing else of a
 * report, so writers must leave out what is not public.
 */

/** A position of the log: twenty digits, so that it sorts as text, and below 2^62. */
export type LogPosition = string;

/** The part of an approved report by which it is found, sorted and filtered. */
export interface SearchDocument extends SearchableText {
  readonly id: string;
  /** Country code, in upper case. */
  readonly country: string;
  /** Original amount in integer cents; the check amount for a bad check. */
  readonly amount_cents: number;
  /** Reason codes of the report and of its additional chargebacks. */
  readonly reasons: readonly string[];
  /** RFC 3339. The sorts "newest" and "oldest" use it, to the millisecond. */
  readonly submitted_at: string;
  /** Keyed hashes of whole values; the values themselves never reach the index. */
  readonly blind?: {
    readonly email?: readonly string[] | undefined;
    readonly phone?: readonly string[] | undefined;
  };
}

/**
 * A change of one document and the log position of the event that caused it. For each id the write
 * with the highest position wins, whatever the order of arrival. At the same position a deletion
 * wins over a document, and a later write over an earlier one.
 */
export type SearchWrite =
  | { readonly op: "upsert"; readonly position: LogPosition; readonly document: SearchDocument }
  | { readonly op: "delete"; readonly position: LogPosition; readonly id: string };

export interface SearchWriter {
  /**
   * Applies the writes; they can be found as soon as it returns. Idempotent. A deleted document keeps only its id
   * and position. On failure, `state` is unchanged: an engine with transactions has then applied nothing; others
   * may have applied a part, which repeating the writes completes.
   * @param position how far the log was read, at least the highest position among the writes.
   * @throws {SearchUnavailable} if the engine is unavailable now.
   * @throws {SearchWriteRefused} if one of the writes can never be stored.
   * @throws {RangeError} if a time is invalid; then no engine has applied anything.
   */
  apply(writes: readonly SearchWrite[], position: LogPosition): Promise<void>;
}

/** A new index that is filled next to the live one; searches do not see it. */
export interface SearchRebuild extends SearchWriter {
  /** Replaces the live index with the new one, in one step, and drops the old one. */
  commit(): Promise<void>;
  abort(): Promise<void>;
}

export const SORTS = ["relevance", "newest", "oldest", "amount_high", "amount_low"] as const;
/** `relevance` without free text means `newest`; hits of equal rank are in the order of `newest`. */
type SearchSort = (typeof SORTS)[number];

export interface SearchQuery {
  /** Free text; every word must match. Only the first 200 characters and 12 words count. */
  readonly q?: string | undefined;
  /** Blind index of an email or phone number, if that is the whole text. A document matches by it or by the text. */
  readonly emailBlind?: string | undefined;
  readonly phoneBlind?: string | undefined;
  /** State code, in upper or lower case. */
  readonly state?: string | undefined;
  /** Country code, in upper or lower case. */
  readonly country?: string | undefined;
  /** Smallest and largest amount in cents, inclusive. */
  readonly minCents?: number | undefined;
  readonly maxCents?: number | undefined;
  /** A document with any of these matches; an empty list matches none. */
  readonly reasonCodes?: readonly string[] | undefined;
  /** `relevance` if absent. */
  readonly sort?: SearchSort | undefined;
  /** Hits per page, 1 to 200. */
  readonly size: number;
  /** `next` or `previous` of an earlier result of the same query; not together with `offset`. */
  readonly page?: string | undefined;
  /** Rows to skip; `offset + size` is at most 10,000. */
  readonly offset?: number | undefined;
}

/** A hit. Everything else that is shown of the report comes from its row of the read model, found by ID. */
export interface SearchHit {
  readonly id: string;
  /** Why it matches; absent if the query has no free text. */
  readonly match?: MatchKind;
  readonly highlights: Highlights;
}

export interface SearchResult {
  readonly hits: readonly SearchHit[];
  /** Exact up to the cap (10,000); above it, the cap. */
  readonly total: number;
  readonly totalCapped: boolean;
  /** Number of this page, counted from 1. */
  readonly page: number;
  /** Number of pages, at least 1; for a capped total, those up to the cap. */
  readonly pages: number;
  /** Tokens of the neighboring pages; null if there is none. */
  readonly next: string | null;
  readonly previous: string | null;
}

export interface IndexState {
  /** Position of the last `apply`; null if nothing was applied yet. */
  readonly position: LogPosition | null;
  /** Version of the matching with which the index was filled, compared to the current one. */
  readonly matching: "same" | "earlier" | "later";
}

export interface SearchIndex extends SearchWriter {
  /**
   * @throws {InvalidSearch} for an invalid size, offset, sort or amount.
   * @throws {InvalidPageToken} for a damaged token, or one of another query.
   * @throws {BeyondWindow} for paging by offset past row 10,000.
   * @throws {SearchUnavailable} if the engine is unavailable.
   */
  search(query: SearchQuery): Promise<SearchResult>;
  state(): Promise<IndexState>;
  /** Starts over if an earlier rebuild was left behind. Callers must run only one at a time. */
  beginRebuild(): Promise<SearchRebuild>;
  /** Empties the index: documents, the record of deletions, and its position. */
  clear(): Promise<void>;
}

/** An invalid value, which the caller's own schema should have rejected. */
export class InvalidSearch extends Error {
  override readonly name = "InvalidSearch";
}

/** The page token is damaged, or belongs to a search with other filters, another sort or size. */
export class InvalidPageToken extends Error {
  override readonly name = "InvalidPageToken";
  constructor() {
    super("the page token does not belong to this search");
  }
}

/** Maximum number of rows that can be reached by offset; page tokens reach all rows. */
export const MAX_WINDOW = 10_000;

/** Paging by offset ends at row `MAX_WINDOW`. */
export class BeyondWindow extends Error {
  override readonly name = "BeyondWindow";
  constructor() {
    super(`only the first ${MAX_WINDOW} rows can be reached by offset`);
  }
}

/** The engine is temporarily unreachable, or unable to respond. */
export class SearchUnavailable extends Error {
  // Subclasses keep this name, which marks them as temporary.
  override readonly name = "SearchUnavailable";
}

/** Timeout: the engine is down, or this call is too expensive for it. */
export class SearchTooSlow extends SearchUnavailable {}

/** The engine will never accept this document. The message contains codes, and no part of the document. */
export class SearchWriteRefused extends Error {
  override readonly name = "SearchWriteRefused";
}
