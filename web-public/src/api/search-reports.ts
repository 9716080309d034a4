import type { SearchResult } from "#contracts/http/reports.ts";
import type { ApiClient } from "./client.ts";

/** GET /api/reports/search. `query` holds the parameters of the contract's `SearchQuery`. */
export function searchReports(
  api: ApiClient,
  query: URLSearchParams,
  signal?: AbortSignal,
): Promise<SearchResult> {
  return api.get("/api/reports/search", signal ? { query, signal } : { query });
}
