import type { VerifyEmail, VerifyEmailReply } from "#contracts/http/account.ts";
import type { ApiClient, CommandReply } from "./client.ts";

export type VerifiedEmail = VerifyEmailReply["data"];

/** POST /api/verify-email/{token} */
export function verifyEmail(
  api: ApiClient,
  token: string,
  body: VerifyEmail,
): Promise<CommandReply<VerifiedEmail>> {
  return api.post(`/api/verify-email/${encodeURIComponent(token)}`, { body });
}
