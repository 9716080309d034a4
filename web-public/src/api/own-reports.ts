import type { OwnReport, OwnReportsSummary } from "#contracts/http/own-reports.ts";
import type { ApiClient } from "./client.ts";

export interface OwnReportsPage {
  readonly reports: readonly OwnReport[];
  /** Token of the next page; null on the last. */
  readonly next: string | null;
}

/** GET /api/account/reports: newest first. */
export function readOwnReports(
  api: ApiClient,
  page?: string,
  signal?: AbortSignal,
): Promise<OwnReportsPage> {
  const query = new URLSearchParams(page ? { page } : {});
  return api.get("/api/account/reports", { query, signal });
}

/** GET /api/account/reports/summary */
export function readOwnSummary(api: ApiClient, signal?: AbortSignal): Promise<OwnReportsSummary> {
  return api.get("/api/account/reports/summary", { signal });
}
