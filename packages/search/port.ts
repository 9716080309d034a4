import type { Highlights, MatchKind, SearchableText } from "./matching.ts";

/**
 * Full-text search over approved reports as the rest of the system sees it. An engine is behind it
 * (`postgres/`), stores what `matching.ts` computes and passes `contract-suite.ts`. Nothing else of
 * a report gets in: whoever writes here leaves out what is not public.
 */

/**
 * A position of the event log: twenty digits with zeros in front, so that it sorts as text as it
 * does as a number. Below 2^62, so that an engine can keep it in a signed 64-bit number.
 */
export type LogPosition = string;

/** An approved report, as far as it is searched, sorted and filtered by. */
export interface SearchDocument extends SearchableText {
  readonly id: string;
  readonly country: string;
  /** Original amount in integer cents; of a bad check its check amount. */
  readonly amount_cents: number;
  /** ISO 4217. */
  readonly currency: string;
  /** Reason codes of the report and of its additional chargebacks. */
  readonly reasons: readonly string[];
  /** Date of the transaction or of the check, `YYYY-MM-DD`. */
  readonly occurred_at?: string | undefined;
  /** RFC 3339; "newest" and "oldest" go by this one, to the millisecond. */
  readonly submitted_at: string;
  /** RFC 3339. */
  readonly approved_at: string;
  /** Keyed hashes of whole values; the values themselves never come near the index. */
  readonly blind?: {
    readonly email?: readonly string[] | undefined;
    readonly phone?: readonly string[] | undefined;
  };
}

/**
 * A change of one document and the log position of the event that caused it. For each id the
 * write of the highest position wins, whatever the order of arrival; at the same position a
 * deletion wins over a document, and a later write over an earlier one.
 */
export type SearchWrite =
  | { readonly op: "upsert"; readonly position: LogPosition; readonly document: SearchDocument }
  | { readonly op: "delete"; readonly position: LogPosition; readonly id: string };

export interface SearchWriter {
  /**
   * Applies the writes; they can be found as soon as it returns. The same again changes nothing.
   * Of a deleted document nothing stays but id and position. When it fails, `state` is as before;
   * an engine with transactions has applied nothing then, another one may have applied a part, and
   * is brought right by the same writes again.
   * @param position how far the log was seen, at least the highest position among the writes.
   * @throws {SearchUnavailable} not now. @throws {SearchWriteRefused} never, for one of them.
   * @throws {RangeError} a time that is none; then nothing is applied by any engine.
   */
  apply(writes: readonly SearchWrite[], position: LogPosition): Promise<void>;
}

/** A new index that is filled beside the live one, unseen by searches. */
export interface SearchRebuild extends SearchWriter {
  /** Puts the new index in the live one's place, in one step, and drops the old one. */
  commit(): Promise<void>;
  /** Drops the new index. */
  abort(): Promise<void>;
}

export const SORTS = ["relevance", "newest", "oldest", "amount_high", "amount_low"] as const;
/** `relevance` without free text is `newest`; equal ranks are in the order of `newest`. */
export type SearchSort = (typeof SORTS)[number];

export interface SearchQuery {
  /** Free text; every word must match. Looked at up to 200 characters and 12 words. */
  readonly q?: string | undefined;
  /**
   * Blind index of an e-mail address or phone number, when the free text is one as a whole. A
   * document matches by it or by the text.
   */
  readonly emailBlind?: string | undefined;
  readonly phoneBlind?: string | undefined;
  /** Code of a state, in any case. */
  readonly state?: string | undefined;
  /** Least and largest amount in cents, inclusive. */
  readonly minCents?: number | undefined;
  readonly maxCents?: number | undefined;
  /** A document with any of these matches; with an empty list none does. */
  readonly reasonCodes?: readonly string[] | undefined;
  /** `relevance` when absent. */
  readonly sort?: SearchSort | undefined;
  /** Hits a page, 1 to 200. */
  readonly size: number;
  /** `next` or `previous` of an earlier result of the same query; not together with `offset`. */
  readonly page?: string | undefined;
  /** Rows to skip; `offset + size` is 10,000 at most. */
  readonly offset?: number | undefined;
}

/** What is shown of a report comes from its row of the read model, by the id. */
export interface SearchHit {
  readonly id: string;
  /** Why it matches; absent when the query has no free text. */
  readonly match?: MatchKind;
  readonly highlights: Highlights;
}

export interface SearchResult {
  readonly hits: readonly SearchHit[];
  /** Exact up to the cap (10,000), then the cap. */
  readonly total: number;
  readonly totalCapped: boolean;
  /** Number of this page, from 1. */
  readonly page: number;
  /** Number of pages, this one at least; of a capped total, those up to the cap. */
  readonly pages: number;
  /** Tokens of the neighbouring pages; null where there is none. */
  readonly next: string | null;
  readonly previous: string | null;
}

export interface IndexState {
  /** What the last `apply` said; null when nothing was applied yet. */
  readonly position: LogPosition | null;
  /** Version of the matching that the index was filled under, beside this one. */
  readonly matching: "same" | "earlier" | "later";
}

export interface SearchIndex extends SearchWriter {
  /**
   * @throws {InvalidSearch} a size, offset, sort or amount that no query can have.
   * @throws {InvalidPageToken} damaged, or of another query.
   * @throws {BeyondWindow} paging by offset past row 10,000.
   * @throws {SearchUnavailable} the engine is out of reach.
   */
  search(query: SearchQuery): Promise<SearchResult>;
  state(): Promise<IndexState>;
  /** Starts over when an earlier rebuild was left behind. One at a time, which the caller sees to. */
  beginRebuild(): Promise<SearchRebuild>;
  /** Empties the index: documents, what is known of deletions, and its position. */
  clear(): Promise<void>;
}
