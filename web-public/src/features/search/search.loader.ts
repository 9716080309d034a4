import {
  data,
  type LoaderFunctionArgs,
  type RouterContextProvider,
  redirect,
} from "react-router-dom";
import type { HabitualOffender, SearchResult } from "#contracts/http/reports.ts";
import { apiContext } from "../../api/api-context.ts";
import { ApiError } from "../../api/client.ts";
import { getHabitualOffenders, searchReports } from "../../api/reads.ts";
import { paths } from "../../config/paths.ts";
import { loadAllOffenders } from "./all-offenders.loader.ts";
import {
  isImpossibleRange,
  readFilters,
  type SearchFilters,
  toQuery,
  writeFilters,
} from "./search-filters.ts";

const TOP_OFFENDERS = 3;

/** The result for a range whose minimum exceeds its maximum. The server refuses such a query. */
const NOTHING: SearchResult = {
  reports: [],
  total: 0,
  total_capped: false,
  page: 1,
  pages: 0,
  next: null,
  previous: null,
};

export interface SearchData {
  readonly filters: SearchFilters;
  /** Null when there is a `failure`. */
  readonly result: SearchResult | null;
  /**
   * `limited` for too many searches, `phone` for a phone number of somebody who may not search by it,
   * `away` when the registry says that it cannot search now, `failed` for no answer.
   */
  readonly failure: "limited" | "phone" | "away" | "failed" | null;
  /** Seconds after which another try makes sense, when the search is `away`. */
  readonly retryAfter?: number;
  /** Empty when they could not be loaded. */
  readonly offenders: readonly HabitualOffender[];
}

/** Runs the search that the address names. The page itself shows failures, with their status. */
export async function searchLoader({
  context,
  request,
}: LoaderFunctionArgs<Readonly<RouterContextProvider>>) {
  const api = context.get(apiContext);
  const params = new URL(request.url).searchParams;
  const pageToken = params.get("page");
  if (params.get("offenders") === "all") return loadAllOffenders(api, pageToken, request.signal);
  const filters = readFilters(params);
  const offenders = getHabitualOffenders(api, TOP_OFFENDERS, request.signal).catch(() => []);
  try {
    const result = isImpossibleRange(filters)
      ? NOTHING
      : await searchReports(api, toQuery(filters, pageToken), request.signal);
    return data<SearchData>({
      filters,
      result,
      failure: null,
      offenders: await offenders,
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The page token is no longer valid, so the search starts again at its first page.
    if (error.status === 400 && pageToken) throw redirect(paths.search + writeFilters(filters));
    const limited = error.status === 429;
    const phone = error.code === "confirmed_account_required";
    const away = error.code === "unavailable" && error.retryAfter;
    return data<SearchData>(
      {
        filters,
        result: null,
        failure: limited ? "limited" : phone ? "phone" : away ? "away" : "failed",
        ...(away ? { retryAfter: away } : {}),
        offenders: await offenders,
      },
      {
        status: limited ? 429 : phone ? 403 : error.status === 400 ? 400 : 503,
        ...(error.retryAfter ? { headers: { "Retry-After": String(error.retryAfter) } } : {}),
      },
    );
  }
}
