import type { ApiClient, CommandReply } from "./client.ts";

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
