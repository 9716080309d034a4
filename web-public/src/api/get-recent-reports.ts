import type { ReportSummary } from "#contracts/http/report-view.ts";
import type { ApiClient } from "./client.ts";

/** GET /api/reports/recent: approved reports, newest first. */
export function getRecentReports(
  api: ApiClient,
  limit: number,
  signal?: AbortSignal,
): Promise<ReportSummary[]> {
  const query = new URLSearchParams({ limit: String(limit) });
  return api.get("/api/reports/recent", signal ? { query, signal } : { query });
}
