import { given } from "#contracts/given.ts";
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

/** What an authenticator app needs to know. */
export interface Authenticator {
  /** To type in, in base32. */
  readonly secret: string;
  /** An `otpauth://` address, as a QR code or a link. */
  readonly uri: string;
}

interface RecoveryCodes {
  readonly recovery_codes: readonly string[];
}

/** POST /api/auth/prove. For fifteen minutes nothing in this session asks for the password. */
export function provePassword(api: ApiClient, password: string): Promise<CommandReply<never>> {
  return api.post("/api/auth/prove", { body: { password } });
}

/** POST /api/auth/two-factor/setup: a new authenticator, not in force yet. */
export function setUpTwoFactor(api: ApiClient): Promise<CommandReply<Authenticator>> {
  return api.post("/api/auth/two-factor/setup", { body: {} });
}

/** POST /api/auth/two-factor/confirm: all other sessions end. */
export function confirmTwoFactor(
  api: ApiClient,
  code: string,
): Promise<CommandReply<NewTokens & RecoveryCodes>> {
  return api.post("/api/auth/two-factor/confirm", { body: { code } });
}

/** DELETE /api/auth/two-factor: all other sessions end. */
export function switchTwoFactorOff(
  api: ApiClient,
  code?: string,
): Promise<CommandReply<NewTokens>> {
  return api.delete("/api/auth/two-factor", { body: given({ code }) });
}

/** POST /api/auth/two-factor/recovery-codes: the former codes are void. */
export function replaceRecoveryCodes(
  api: ApiClient,
  code?: string,
): Promise<CommandReply<RecoveryCodes>> {
  return api.post("/api/auth/two-factor/recovery-codes", { body: given({ code }) });
}

/** POST /api/auth/change-email: a link goes to the new address. */
export function changeEmail(
  api: ApiClient,
  email: string,
  code?: string,
): Promise<CommandReply<never>> {
  return api.post("/api/auth/change-email", { body: { email, ...given({ code }) } });
}

/** DELETE /api/auth/change-email: nobody waits for the other address anymore, and its link is void. */
export function withdrawEmailChange(api: ApiClient): Promise<CommandReply<never>> {
  return api.delete("/api/auth/change-email");
}

/** POST /api/auth/confirm-email-change, by the link of that mail: all other sessions end. */
export function confirmEmailChange(
  api: ApiClient,
  token: string,
): Promise<CommandReply<NewTokens>> {
  return api.post("/api/auth/confirm-email-change", { body: { token } });
}

/** POST /api/auth/undo-email-change, by the link in the mail to the former address. */
export function undoEmailChange(
  api: ApiClient,
  token: string,
): Promise<CommandReply<{ reset_token?: string }>> {
  return api.post("/api/auth/undo-email-change", { body: { token } });
}
