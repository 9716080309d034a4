import { given } from "#contracts/given.ts";
import type { NewTokens } from "./account-security.ts";
import type { ApiClient, CommandReply } from "./client.ts";

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
