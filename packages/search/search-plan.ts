import { createHmac, timingSafeEqual } from "node:crypto";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { analyzeQuery, type QueryAnalysis } from "./matching.ts";
import {
  BeyondWindow,
  InvalidPageToken,
  InvalidSearch,
  MAX_WINDOW,
  type SearchHit,
  type SearchQuery,
  type SearchResult,
  SORTS,
} from "./port.ts";

/** Orders of hits: by these values, then by ID, all in one direction. */
export const ORDERS = {
  /** The negated rank, then the time of submission. */
  relevance: { values: ["negative_rank", "submitted_ms"], descending: true },
  newest: { values: ["submitted_ms"], descending: true },
  oldest: { values: ["submitted_ms"], descending: false },
  amount_high: { values: ["amount_cents", "submitted_ms"], descending: true },
  amount_low: { values: ["amount_cents", "submitted_ms"], descending: false },
} as const;
type Order = (typeof ORDERS)[keyof typeof ORDERS];

/** A query, validated and analyzed in the same way for every engine. */
export interface SearchPlan {
  readonly text: QueryAnalysis;
  /** Terms of the blind indexes, which count as matches like the text. */
  readonly blindTerms: readonly string[];
  /** In upper case. */
  readonly state?: string;
  /** In upper case. */
  readonly country?: string;
  readonly minCents?: number;
  readonly maxCents?: number;
  readonly reasonCodes?: readonly string[];
  readonly order: Order;
  readonly size: number;
  readonly offset: number;
  readonly cursor?: PageCursor;
  /** Creates a page token for the same query. */
  readonly tokenOf: (cursor: PageCursor) => string;
}

/** Returns the terms by which a document's blind indexes are found. */
export function blindTerms(blind: {
  readonly email?: readonly string[] | undefined;
  readonly phone?: readonly string[] | undefined;
}): string[] {
  const email = (blind.email ?? []).map((hash) => `e:${hash}`);
  return [...email, ...(blind.phone ?? []).map((hash) => `t:${hash}`)];
}

/** Returns the term by which an engine without a country field finds a document's country. */
export function countryTerm(country: string): string {
  return `c:${country}`;
}

/** Whether the query has anything to search for: a text or a blind index. */
export function hasText(plan: SearchPlan): boolean {
  return !plan.text.blank || plan.blindTerms.length > 0;
}

/** @throws {InvalidSearch | InvalidPageToken | BeyondWindow} as `SearchIndex.search` describes. */
export function planSearch(query: SearchQuery, tokens: PageTokens): SearchPlan {
  const { size, offset = 0, sort = "relevance" } = query;
  if (!Number.isInteger(size) || size < 1 || size > 200) throw new InvalidSearch("size");
  if (!Number.isInteger(offset) || offset < 0) throw new InvalidSearch("offset");
  if (offset > 0 && query.page !== undefined) throw new InvalidSearch("page and offset");
  if (!SORTS.includes(sort)) throw new InvalidSearch("sort");
  for (const amount of [query.minCents, query.maxCents]) {
    if (amount !== undefined && !Number.isSafeInteger(amount)) throw new InvalidSearch("amount");
  }
  if (offset + size > MAX_WINDOW) throw new BeyondWindow();

  const text = analyzeQuery(query.q ?? "");
  const blind = blindTerms({
    email: query.emailBlind === undefined ? [] : [query.emailBlind],
    phone: query.phoneBlind === undefined ? [] : [query.phoneBlind],
  });
  const isRanked = sort === "relevance" && (!text.blank || blind.length > 0);
  const order = isRanked ? ORDERS.relevance : ORDERS[sort === "relevance" ? "newest" : sort];
  const filters = {
    state: query.state?.toUpperCase(),
    country: query.country?.toUpperCase(),
    minCents: query.minCents,
    maxCents: query.maxCents,
    reasonCodes: query.reasonCodes?.toSorted(),
  };
  const words = text.words.map((word) => word.text);
  const bound = JSON.stringify([text.blank, words, blind, filters, order, size]);
  const cursor = query.page ? tokens.decode(query.page, bound) : undefined;
  return {
    text,
    blindTerms: blind,
    ...omitUndefined({ ...filters, cursor }),
    order,
    size,
    offset,
    tokenOf: (place) => tokens.encode(place, bound),
  };
}

/** A hit with its place in the order. */
export interface PlacedHit {
  readonly hit: SearchHit;
  readonly key: SortKey;
}

/** What an engine found for a plan. */
export interface Found {
  /** In the plan's order, with one beyond the far end. */
  readonly hits: readonly PlacedHit[];
  readonly total: number;
  readonly capped: boolean;
}

/**
 * Returns the page of the plan. If a page reached backward is short because rows are gone, it is the first page.
 * @param find asks the engine.
 */
export async function searchPage(
  plan: SearchPlan,
  find: (plan: SearchPlan) => Promise<Found>,
): Promise<SearchResult> {
  const found = await find(plan);
  const isShort = plan.cursor?.direction === "before" && found.hits.length < plan.size;
  if (!isShort) return pageOf(plan, found);
  const { cursor: _, ...first } = plan;
  return pageOf(first, await find(first));
}

/** Whether ranks differ. Hits found only by a blind index all have rank 0. */
export function isRanked(plan: SearchPlan): boolean {
  return plan.order === ORDERS.relevance && plan.text.words.length > 0;
}

/** Whether rows are read in descending order: backward from a cursor, an order is reversed. */
export function isDescending(plan: SearchPlan, cursor: PageCursor | undefined): boolean {
  return plan.order.descending !== (cursor?.direction === "before");
}

function pageOf(plan: SearchPlan, { hits: found, total, capped }: Found): SearchResult {
  const { cursor, size } = plan;
  const backwards = cursor?.direction === "before";
  const hasMore = found.length > size;
  const rows = backwards ? found.slice(-size) : found.slice(0, size);
  const page = pageNumber(plan, hasMore);
  const [first, last] = [rows.at(0)?.key, rows.at(-1)?.key];
  const token = (key: SortKey, direction: "after" | "before", to: number, inclusive = false) =>
    plan.tokenOf({ ...key, direction, inclusive, page: Math.max(1, to) });

  let previous: string | null = null;
  if (first && (backwards ? hasMore : cursor || plan.offset > 0)) {
    previous = token(first, "before", page - 1);
  } else if (cursor && !first) {
    previous = token(cursor, "before", page - 1, true);
  }
  const next = last && (backwards || hasMore) ? token(last, "after", page + 1) : null;
  return {
    hits: rows.map((row) => row.hit),
    total,
    totalCapped: capped,
    page,
    pages: Math.max(page, Math.ceil(total / size)),
    next,
    previous,
  };
}

/** Returns the number of the page. Going backward, a page with nothing before it is the first, whatever was counted. */
function pageNumber(plan: SearchPlan, hasMore: boolean): number {
  if (!plan.cursor) return Math.floor(plan.offset / plan.size) + 1;
  return plan.cursor.direction === "before" && !hasMore ? 1 : plan.cursor.page;
}

/** Where a page begins or ends in the order of hits. */
interface SortKey {
  /** Values of the sort, in sort order; integers. */
  readonly values: readonly number[];
  /** ID of the document, which breaks ties. */
  readonly id: string;
}

/** The content of a page token. */
export interface PageCursor extends SortKey {
  readonly direction: "after" | "before";
  /** Whether the page includes the row of the key itself. */
  readonly inclusive: boolean;
  /** Number of the page that the token leads to. */
  readonly page: number;
}

/** Maximum length of a token that is read. */
const MAX_TOKEN_LENGTH = 1000;
/** Length of the signature in bytes: 128 bits of an HMAC-SHA-256. */
const SIGNATURE = 16;

/** A key that may be replaced while the process runs. */
export interface PageKeys {
  current(): Buffer;
  /** The current key, and previous ones whose tokens are still valid. */
  all(): readonly Buffer[];
}

/** Creates and reads the page tokens of queries. Only a holder of the key can create them. */
export interface PageTokens {
  /** @param query filters, sort and size, to which the token is bound. */
  encode(cursor: PageCursor, query: string): string;
  /** @throws {InvalidPageToken} if it was not created by `encode` for this query under this key. */
  decode(token: string, query: string): PageCursor;
}

/** Tokens are base64url of an HMAC-SHA-256 over query and cursor, truncated to 16 bytes, and the cursor as JSON. */
export function createPageTokens(key: Buffer | PageKeys): PageTokens {
  const keys = Buffer.isBuffer(key) ? { current: () => key, all: () => [key] } : key;
  const signatureOf = (key: Buffer, cursor: Buffer, query: string) =>
    createHmac("sha256", key)
      .update(JSON.stringify(["search page", query]))
      .update(cursor)
      .digest()
      .subarray(0, SIGNATURE);

  return {
    encode({ direction, inclusive, page, values, id }, query) {
      const cursor = Buffer.from(
        JSON.stringify([direction === "after", inclusive, page, values, id]),
      );
      return Buffer.concat([signatureOf(keys.current(), cursor, query), cursor]).toString(
        "base64url",
      );
    },
    decode(token, query) {
      if (token.length > MAX_TOKEN_LENGTH) throw new InvalidPageToken();
      const bytes = Buffer.from(token, "base64url");
      const [signature, cursor] = [bytes.subarray(0, SIGNATURE), bytes.subarray(SIGNATURE)];
      const isOurs =
        signature.length === SIGNATURE &&
        keys.all().some((each) => timingSafeEqual(signature, signatureOf(each, cursor, query)));
      if (!isOurs) throw new InvalidPageToken();
      const [isAfter, inclusive, page, values, id] = JSON.parse(cursor.toString());
      return { direction: isAfter ? "after" : "before", inclusive, page, values, id };
    },
  };
}
