import type { SessionStore } from "#session-client/session-store.ts";
import type { NewTokens } from "../../../api/account-security.ts";
import { ApiError } from "../../../api/client.ts";

/**
 * Stores what a change was answered with that voided this session's former tokens. A session that
 * was signed out meanwhile stays so.
 */
export function keepTokens(store: SessionStore, tokens: NewTokens | undefined): void {
  if (!tokens) throw new ApiError(0, { code: "garbled" });
  const { token, refreshToken } = tokens;
  if (store.read()) store.renew({ token, refreshToken });
}
