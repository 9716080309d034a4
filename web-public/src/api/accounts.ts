import type { Challenge, EditProfile, Register, User } from "#contracts/http/account.ts";
import type { ApiClient, CommandReply } from "./client.ts";

/** What opens a session. */
export interface OpenedSession {
  readonly user: User;
  readonly token: string;
  readonly refreshToken: string;
  /** Whether the account was waiting to be erased, and is kept. */
  readonly deletion_canceled?: true;
}

/** POST /api/auth/login: a challenge where the account has a second factor. */
export function login(
  api: ApiClient,
  credentials: { email: string; password: string },
): Promise<CommandReply<OpenedSession | Challenge>> {
  return api.post("/api/auth/login", { body: credentials });
}

/** POST /api/auth/login/two-factor: `code` is the authenticator's, or a recovery code. */
export function loginWithCode(
  api: ApiClient,
  answer: { challenge: string; code: string },
): Promise<CommandReply<OpenedSession>> {
  return api.post("/api/auth/login/two-factor", { body: answer });
}

/** POST /api/auth/sign-in-link/:token: the account knows this browser from then on. */
export function openSignInLink(api: ApiClient, token: string): Promise<CommandReply<never>> {
  return api.post(`/api/auth/sign-in-link/${encodeURIComponent(token)}`, { body: {} });
}

/**
 * POST /api/auth/register: 409 for an address that is an account's already.
 * @param idempotencyKey the same for the same account, so that a second press of the button does not
 *   replace the account of the first.
 */
export function register(
  api: ApiClient,
  account: Register,
  idempotencyKey: string,
): Promise<CommandReply<OpenedSession>> {
  return api.post("/api/auth/register", { body: account, idempotencyKey });
}

/** POST /api/auth/forgot-password. The answer is the same for every address. */
export function forgotPassword(api: ApiClient, email: string): Promise<CommandReply<never>> {
  return api.post("/api/auth/forgot-password", { body: { email } });
}

/** POST /api/auth/reset-password */
export function resetPassword(
  api: ApiClient,
  body: { token: string; password: string; confirmPassword: string },
): Promise<CommandReply<never>> {
  return api.post("/api/auth/reset-password", { body });
}

/** POST /api/auth/resend-verification, for the account that is signed in. */
export function resendConfirmation(api: ApiClient): Promise<CommandReply<never>> {
  return api.post("/api/auth/resend-verification", { body: {} });
}

/** PUT /api/auth/profile */
export function editProfile(
  api: ApiClient,
  edit: EditProfile,
): Promise<CommandReply<{ user: User }>> {
  return api.put("/api/auth/profile", { body: edit });
}
