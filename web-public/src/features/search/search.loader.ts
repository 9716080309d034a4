import { data, type RouterContextProvider, redirect } from "react-router-dom";
import type { HabitualOffender, OffenderPage, SearchResult } from "#contracts/http/reports.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { type ApiClient, ApiError, apiContext, type LoaderArgs } from "../../api/client.ts";
import { paths } from "../../config/paths.ts";
import { sessionContext } from "../../session/site-session.ts";
import {
  isImpossibleRange,
  readFilters,
  type SearchFilters,
  toQuery,
  writeFilters,
} from "./search-filters.ts";

const TOP_OFFENDERS = "3";

/** The result for a range whose minimum exceeds its maximum, which the server rejects. */
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
  /** Null if there is a `failure`. */
  readonly result: SearchResult | null;
  /**
   * `limited`: too many searches. `contact`: a search by email or phone that the caller isn't allowed to make.
   * `away`: the registry reports that search is unavailable. `failed`: anything else.
   */
  readonly failure: "limited" | "contact" | "away" | "failed" | null;
  /** Whether a `contact` search was made as a visitor, as on the server. */
  readonly asVisitor?: boolean;
  /** The registry's message, for `limited` and `contact`. */
  readonly refusal?: string;
  /** Seconds to wait before retrying, for `away` and `limited`. */
  readonly retryAfter?: number;
  /** Empty if they couldn't be loaded. */
  readonly offenders: readonly HabitualOffender[];
}

/** Runs the search in the URL. The page itself shows failures, with their status. */
export async function searchLoader({ context, request }: LoaderArgs) {
  const { signal } = request;
  const api = await callerOf(context);
  const params = new URL(request.url).searchParams;
  const pageToken = params.get("page");
  if (params.get("offenders") === "all") return loadAllOffenders(api, pageToken, signal);
  const filters = readFilters(params);
  const offenders = api
    .get<HabitualOffender[]>("/api/habitual-offenders", { query: { limit: TOP_OFFENDERS }, signal })
    .catch(() => []);
  try {
    const result = isImpossibleRange(filters)
      ? NOTHING
      : await api.get<SearchResult>("/api/reports/search", {
          query: toQuery(filters, pageToken),
          signal,
        });
    return data<SearchData>({
      filters,
      result,
      failure: null,
      offenders: await offenders,
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The page token is no longer valid, so restart at the first page.
    if (error.status === 400 && pageToken) throw redirect(paths.search + writeFilters(filters));
    const limited = error.status === 429;
    const contact = error.code === "confirmed_account_required";
    const away = error.code === "unavailable" && error.retryAfter;
    const { explanation: refusal, retryAfter } = error;
    return data<SearchData>(
      {
        filters,
        result: null,
        failure: limited ? "limited" : contact ? "contact" : away ? "away" : "failed",
        ...(contact ? { asVisitor: !context.get(sessionContext).isKept() } : {}),
        ...(limited || contact ? omitUndefined({ refusal }) : {}),
        ...(limited || away ? omitUndefined({ retryAfter }) : {}),
        offenders: await offenders,
      },
      {
        status: limited ? 429 : contact ? 403 : error.status === 400 ? 400 : 503,
        ...(error.retryAfter ? { headers: { "Retry-After": String(error.retryAfter) } } : {}),
      },
    );
  }
}

/** Returns the account's client in a browser with a session, since what may be searched depends on it. */
async function callerOf(context: Readonly<RouterContextProvider>): Promise<ApiClient> {
  const session = context.get(sessionContext);
  if (!session.isKept()) return context.get(apiContext);
  const [{ accountClient }, { storeOf }] = await Promise.all([
    import("../../session/account-client.ts"),
    import("../../session/session-store-of.ts"),
  ]);
  return accountClient(storeOf(session));
}

export interface AllOffendersData {
  /** Null if it couldn't be loaded. */
  readonly list: OffenderPage | null;
}

/** Loads a page of all habitual offenders. The page itself shows failures, with their status. */
export async function loadAllOffenders(api: ApiClient, token: string | null, signal: AbortSignal) {
  try {
    const query = token ? { page: token } : {};
    const list = await api.get<OffenderPage>("/api/habitual-offenders/all", { query, signal });
    return data<AllOffendersData>({ list });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The page token is no longer valid, so restart at the first page.
    if (error.status === 400 && token) throw redirect(paths.allOffenders());
    const headers = error.retryAfter ? { "Retry-After": String(error.retryAfter) } : {};
    const status = error.status === 429 ? 429 : 503;
    return data<AllOffendersData>({ list: null }, { status, headers });
  }
}
