import type { DeleteAccount } from "#contracts/http/account.ts";
import type { OwnSession } from "#contracts/http/sessions.ts";
import type { ApiClient, CommandReply } from "./client.ts";

/** New tokens of the session that asked; its former ones are void. */
export interface NewTokens {
  readonly token: string;
  readonly refreshToken: string;
}

/** POST /api/auth/change-password: all other sessions end. */
export function changePassword(
  api: ApiClient,
  body: { currentPassword: string; password: string; confirmPassword: string },
): Promise<CommandReply<NewTokens>> {
  return api.post("/api/auth/change-password", { body });
}

/** GET /api/auth/sessions: the current one first, then by last use. */
export async function readSessions(
  api: ApiClient,
  signal?: AbortSignal,
): Promise<readonly OwnSession[]> {
  return (await api.get<{ sessions: OwnSession[] }>("/api/auth/sessions", { signal })).sessions;
}

/** DELETE /api/auth/account: erased at `erase_at` unless its owner signs in before. */
export function deleteAccount(
  api: ApiClient,
  body: DeleteAccount,
): Promise<CommandReply<{ erase_at: string }>> {
  return api.delete("/api/auth/account", { body });
}

/** DELETE /api/auth/sessions/{id} */
export function endOneSession(api: ApiClient, id: string): Promise<CommandReply<never>> {
  return api.delete(`/api/auth/sessions/${encodeURIComponent(id)}`);
}

/** DELETE /api/auth/sessions: every one but the one that asks. */
export function endOtherSessions(api: ApiClient): Promise<CommandReply<{ ended: number }>> {
  return api.delete("/api/auth/sessions");
}
