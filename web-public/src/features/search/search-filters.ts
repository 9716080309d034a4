import { SEARCH_SORTS, type SearchSort } from "#contracts/http/search-messages.ts";
import { readAmount } from "#contracts/report/money.ts";
import { REASON_GROUPS } from "#contracts/report/reasons.ts";
import { REGIONS } from "#contracts/report/regions.ts";
import { COUNTRIES, type Country } from "#contracts/report/words.ts";

/** A visitor's search. Empty strings mean no restriction. */
export interface SearchFilters {
  readonly q: string;
  readonly country: Country | "";
  /** Region code in the country, or in the United States if no country is chosen. */
  readonly state: string;
  /** Normalized decimal amounts; empty if invalid. */
  readonly min: string;
  readonly max: string;
  /** A group in the reason menu. */
  readonly reason: string;
  /** Empty for the default: relevance if there is a text, otherwise newest first. */
  readonly sort: SearchSort | "";
}

export const NO_FILTERS: SearchFilters = {
  q: "",
  country: "",
  state: "",
  min: "",
  max: "",
  reason: "",
  sort: "",
};

/** Maximum length of a search text. */
export const MAX_QUERY_LENGTH = 200;

/** Reads the filters from a URL's query. Invalid ones are ignored. */
export function readFilters(params: URLSearchParams): SearchFilters {
  const text = (name: string) => params.get(name)?.trim() ?? "";
  const country = text("country").toUpperCase();
  const inCountry = Object.hasOwn(COUNTRIES, country) ? (country as Country) : "";
  const state = text("state").toUpperCase();
  const reason = text("reason");
  const sort = text("sort");
  return {
    q: Array.from(text("q")).slice(0, MAX_QUERY_LENGTH).join(""),
    country: inCountry,
    state: Object.hasOwn(regionsOf(inCountry), state) ? state : "",
    min: amount(text("min")),
    max: amount(text("max")),
    reason: Object.hasOwn(REASON_GROUPS, reason) ? reason : "",
    sort: Object.hasOwn(SEARCH_SORTS, sort) ? (sort as SearchSort) : "",
  };
}

/** Returns the regions that can be chosen. */
export function regionsOf(country: Country | ""): Readonly<Record<string, string>> {
  return REGIONS[country || "US"];
}

/** Returns the shortest query string of a search: `""`, or `?q=doe&state=CA`. */
export function writeFilters(filters: SearchFilters, pageToken?: string): string {
  const params = new URLSearchParams();
  for (const name of Object.keys(NO_FILTERS) as (keyof SearchFilters)[]) {
    if (filters[name] !== "") params.set(name, filters[name]);
  }
  if (pageToken) params.set("page", pageToken);
  const text = params.toString();
  return text && `?${text}`;
}

/** Returns the default sort order. */
export function naturalSort(filters: Pick<SearchFilters, "q">): SearchSort {
  return filters.q ? "relevance" : "newest";
}

/** Returns the query for the registry, which always contains the sort order. */
export function toQuery(filters: SearchFilters, pageToken: string | null): URLSearchParams {
  const query = new URLSearchParams(writeFilters(filters, pageToken ?? undefined));
  query.set("sort", filters.sort || naturalSort(filters));
  return query;
}

/** Counts the filters that are set, excluding the text. */
export function countFilters(filters: SearchFilters): number {
  return [filters.country, filters.state, filters.min, filters.max, filters.reason].filter(Boolean)
    .length;
}

/** Whether the filters contradict each other, so that nothing can match. */
export function isImpossibleRange(filters: SearchFilters): boolean {
  return filters.min !== "" && filters.max !== "" && Number(filters.min) > Number(filters.max);
}

/** Normalizes a decimal amount; empty if the text isn't an amount. */
function amount(text: string): string {
  return String(readAmount(text) ?? "");
}
