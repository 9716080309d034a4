import type { ReportProgress } from "#contracts/http/reporter-links.ts";
import { type ApiClient, ApiError, type CommandReply } from "./client.ts";

/** POST /api/report-status: how far the report of a mailed link is. It changes nothing. */
export async function getReportProgress(
  api: ApiClient,
  token: string,
  signal?: AbortSignal,
): Promise<ReportProgress> {
  const { data } = await api.post<ReportProgress>("/api/report-status", {
    body: { token },
    signal,
  });
  if (!data) throw new ApiError(0, { code: "garbled" });
  return data;
}

/** POST /api/reports/{id}/correct-address, with the token of the submission's answer. */
export function correctAddress(
  api: ApiClient,
  reportId: string,
  body: { readonly token: string; readonly email: string },
  idempotencyKey: string,
): Promise<CommandReply<unknown>> {
  const path = `/api/reports/${encodeURIComponent(reportId)}/correct-address`;
  return api.post(path, { body, idempotencyKey });
}
