import { SEARCH_SORTS, type SearchSort } from "#contracts/http/search-words.ts";
import { readAmount } from "#contracts/report/amount-text.ts";
import { REASON_GROUPS } from "#contracts/report/reasons.ts";
import { US_STATES } from "#contracts/report/words.ts";

/** What a visitor searches for. Empty texts mean no restriction. */
export interface SearchFilters {
  readonly q: string;
  /** Code of a US state. */
  readonly state: string;
  /** Decimal amounts as they were typed, valid ones only. */
  readonly min: string;
  readonly max: string;
  /** A group of the reason menu. */
  readonly reason: string;
  /** Empty: the best match of a text, otherwise the newest. */
  readonly sort: SearchSort | "";
}

export const NO_FILTERS: SearchFilters = {
  q: "",
  state: "",
  min: "",
  max: "",
  reason: "",
  sort: "",
};

/** Longest text that is searched for. */
export const MAX_QUERY_LENGTH = 200;

/** The filters of an address. What is not understood is left out. */
export function readFilters(params: URLSearchParams): SearchFilters {
  const text = (name: string) => params.get(name)?.trim() ?? "";
  const state = text("state").toUpperCase();
  const reason = text("reason");
  const sort = text("sort");
  return {
    q: Array.from(text("q")).slice(0, MAX_QUERY_LENGTH).join(""),
    state: Object.hasOwn(US_STATES, state) ? state : "",
    min: amount(text("min")),
    max: amount(text("max")),
    reason: Object.hasOwn(REASON_GROUPS, reason) ? reason : "",
    sort: Object.hasOwn(SEARCH_SORTS, sort) ? (sort as SearchSort) : "",
  };
}

/** The shortest address of a search: `""`, or `?q=doe&state=CA`. */
export function writeFilters(filters: SearchFilters, pageToken?: string): string {
  const params = new URLSearchParams();
  for (const name of Object.keys(NO_FILTERS) as (keyof SearchFilters)[]) {
    if (filters[name] !== "") params.set(name, filters[name]);
  }
  if (pageToken) params.set("page", pageToken);
  const text = params.toString();
  return text && `?${text}`;
}

/** The order in which results stand when the visitor chose none. */
export function naturalSort(filters: Pick<SearchFilters, "q">): SearchSort {
  return filters.q ? "relevance" : "newest";
}

/** The query of the interface, whose order is always named. */
export function toQuery(filters: SearchFilters, pageToken: string | null): URLSearchParams {
  const query = new URLSearchParams(writeFilters(filters, pageToken ?? undefined));
  query.set("sort", filters.sort || naturalSort(filters));
  return query;
}

/** How many filters beside the text restrict the search. */
export function countFilters(filters: SearchFilters): number {
  return [filters.state, filters.min, filters.max, filters.reason].filter(Boolean).length;
}

/** Whether the filters contradict each other, so that nothing can be found. */
export function isImpossibleRange(filters: SearchFilters): boolean {
  return filters.min !== "" && filters.max !== "" && Number(filters.min) > Number(filters.max);
}

/** A decimal amount in its plain form; empty for what is none. */
function amount(text: string): string {
  return String(readAmount(text) ?? "");
}
