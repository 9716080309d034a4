import { data, redirect } from "react-router-dom";
import type { OffenderPage } from "#contracts/http/reports.ts";
import { type ApiClient, ApiError } from "../../api/client.ts";
import { paths } from "../../config/paths.ts";

export interface AllOffendersData {
  /** Null when they could not be loaded. */
  readonly list: OffenderPage | null;
}

/** A page of all habitual offenders. The page itself shows a failure, with its status. */
export async function loadAllOffenders(api: ApiClient, token: string | null, signal: AbortSignal) {
  try {
    const query = token ? { page: token } : {};
    const list = await api.get<OffenderPage>("/api/habitual-offenders/all", { query, signal });
    return data<AllOffendersData>({ list });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The page token is no longer valid, so the list starts again at its first page.
    if (error.status === 400 && token) throw redirect(paths.allOffenders());
    const headers = error.retryAfter ? { "Retry-After": String(error.retryAfter) } : {};
    const status = error.status === 429 ? 429 : 503;
    return data<AllOffendersData>({ list: null }, { status, headers });
  }
}
