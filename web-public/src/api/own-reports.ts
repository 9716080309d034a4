import type {
  AnswerOwnQuestion,
  ClaimableReports,
  OpenedReport,
  OwnReport,
  OwnReportsSummary,
  SameOrder,
} from "#contracts/http/own-reports.ts";
import { type ApiClient, ApiError } from "./client.ts";

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

/** POST /api/account/reports/{id}/open: as it was submitted. The registry records each call. */
export async function openOwnReport(api: ApiClient, id: string): Promise<OpenedReport> {
  const path = `/api/account/reports/${encodeURIComponent(id)}/open`;
  const { data } = await api.post<OpenedReport>(path, { body: {} });
  if (!data) throw new ApiError(0, { code: "garbled" });
  return data;
}

/** GET /api/account/reports/claimable: sent from the account's address without an account. */
export function readClaimable(api: ApiClient, signal?: AbortSignal): Promise<ClaimableReports> {
  return api.get("/api/account/reports/claimable", { signal });
}

/** POST /api/account/reports/{id}/claim: claiming again changes nothing. */
export async function claimReport(api: ApiClient, id: string): Promise<void> {
  await api.post(`/api/account/reports/${encodeURIComponent(id)}/claim`, { body: {} });
}

/** POST /api/account/reports/{id}/answer: one answer under one key. */
export async function answerOwnQuestion(
  api: ApiClient,
  id: string,
  body: AnswerOwnQuestion,
  idempotencyKey: string,
): Promise<void> {
  const path = `/api/account/reports/${encodeURIComponent(id)}/answer`;
  await api.post(path, { body, idempotencyKey });
}

/** GET /api/account/reports/same-order: the account's newest report about an order; null without one. */
export async function findSameOrder(
  api: ApiClient,
  { order, merchant }: { readonly order: string; readonly merchant: string },
  signal: AbortSignal,
): Promise<SameOrder> {
  const query = new URLSearchParams({ order, ...(merchant ? { merchant } : {}) });
  const data = await api.get<{ report: SameOrder }>("/api/account/reports/same-order", {
    query,
    signal,
  });
  return data.report;
}
