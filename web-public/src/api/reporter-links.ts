import type { VerifyEmail, VerifyEmailReply } from "#contracts/http/account.ts";
import type { AskedQuestion, ReportProgress } from "#contracts/http/unsubscribe.ts";
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

/** POST /api/report-question: a moderator's question, by its link. It changes nothing. */
export async function getQuestion(
  api: ApiClient,
  token: string,
  signal?: AbortSignal,
): Promise<AskedQuestion> {
  const { data } = await api.post<AskedQuestion>("/api/report-question", {
    body: { token },
    signal,
  });
  if (!data) throw new ApiError(0, { code: "garbled" });
  return data;
}

/** POST /api/report-question/answer */
export function answerQuestion(
  api: ApiClient,
  body: { readonly token: string; readonly answer: string },
  idempotencyKey: string,
): Promise<CommandReply<unknown>> {
  return api.post("/api/report-question/answer", { body, idempotencyKey });
}

/** POST /api/reports/{id}/resend-verification. The answer is the same for every address. */
export function resendVerification(
  api: ApiClient,
  reportId: string,
  email: string,
): Promise<CommandReply<never>> {
  return api.post(`/api/reports/${encodeURIComponent(reportId)}/resend-verification`, {
    body: { email },
  });
}

export type VerifiedEmail = VerifyEmailReply["data"];

/** POST /api/verify-email/{token} */
export function verifyEmail(
  api: ApiClient,
  token: string,
  body: VerifyEmail,
): Promise<CommandReply<VerifiedEmail>> {
  return api.post(`/api/verify-email/${encodeURIComponent(token)}`, { body });
}
