import type { ApiClient, CommandReply } from "./client.ts";

/** POST /api/verify-email/{token} */
export function verifyEmail(api: ApiClient, token: string): Promise<CommandReply<unknown>> {
  return api.post(`/api/verify-email/${encodeURIComponent(token)}`);
}
