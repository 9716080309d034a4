import type { SubmitReport } from "#contracts/http/reports.ts";
import type { ApiClient, CommandReply } from "./client.ts";

interface SubmittedReport {
  readonly id: string;
  readonly status: "pending";
  /** It had arrived before, under the same key. */
  readonly repeated?: true;
  /** Nothing is left to confirm. */
  readonly confirmed?: true;
  readonly correction_token?: string;
}

/** POST /api/reports/submit. Sending the same payload with the same key never submits it twice. */
export function submitReport(
  api: ApiClient,
  payload: SubmitReport,
  idempotencyKey: string,
): Promise<CommandReply<SubmittedReport>> {
  return api.post("/api/reports/submit", { body: payload, idempotencyKey });
}
