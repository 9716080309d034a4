import type { SubmitReport } from "#contracts/http/reports.ts";
import type { ApiClient, CommandReply } from "./client.ts";

export interface SubmittedReport {
  readonly id: string;
  readonly status: "pending";
}

/** POST /api/reports/submit. The same key with the same payload never submits twice. */
export function submitReport(
  api: ApiClient,
  payload: SubmitReport,
  idempotencyKey: string,
): Promise<CommandReply<SubmittedReport>> {
  return api.post("/api/reports/submit", { body: payload, idempotencyKey });
}
