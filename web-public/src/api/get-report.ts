import type { ReportDetail } from "#contracts/http/report-view.ts";
import type { ApiClient } from "./client.ts";

/** GET /api/reports/{seoTitle}: 404 for an unknown one, 410 for a deleted one. */
export function getReport(
  api: ApiClient,
  seoTitle: string,
  signal?: AbortSignal,
): Promise<ReportDetail> {
  return api.get(`/api/reports/${encodeURIComponent(seoTitle)}`, signal ? { signal } : {});
}
