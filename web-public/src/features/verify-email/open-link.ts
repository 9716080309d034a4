import {
  ACCOUNT_DONE,
  ACCOUNT_FAILED,
  ACCOUNT_UNANSWERED,
} from "#contracts/account/account-messages.ts";
import type { VerifyEmail, VerifyEmailReply } from "#contracts/http/account.ts";
import { type ApiClient, ApiError } from "../../api/client.ts";

type VerifiedEmail = VerifyEmailReply["data"];

export type Verification =
  | { readonly state: "verified"; readonly message: string; readonly of?: VerifiedEmail }
  /** The link was used before, or staff confirmed the address. Not an error. */
  | { readonly state: "already"; readonly message: string }
  /** The account isn't signed in here: its password is required, or the one sent was wrong. */
  | { readonly state: "password"; readonly message: string; readonly isWrong: boolean }
  /** The link is permanently invalid. */
  | { readonly state: "refused"; readonly message: string }
  /** The report's address is suspended from submitting. */
  | { readonly state: "suspended"; readonly message: string }
  /** The outcome is unknown; a retry may work. */
  | { readonly state: "failed"; readonly message: string };

const STATES: Readonly<Record<string, "already" | "suspended">> = {
  already_verified: "already",
  submission_refused: "suspended",
};

/**
 * Posts a link's token, and returns the outcome.
 * @param api the signed-in account's client, which shows the registry that the owner is confirming
 * @param asVisitor used if that session has ended
 */
export async function openLink(
  api: ApiClient,
  token: string,
  asVisitor = api,
  by: VerifyEmail = {},
): Promise<Verification> {
  // An email program cut off the token.
  if (!token) return { state: "refused", message: ACCOUNT_FAILED.verifyLink };
  const send = (client: ApiClient) =>
    client.post<VerifiedEmail>(`/api/verify-email/${encodeURIComponent(token)}`, { body: by });
  try {
    const { message = ACCOUNT_DONE.verified, data } = await send(api).catch((error) => {
      // The browser's stored session has ended; the link works without it.
      if (error instanceof ApiError && error.status === 401) return send(asVisitor);
      throw error;
    });
    return { state: "verified", message, ...(data ? { of: data } : {}) };
  } catch (error) {
    if (!(error instanceof ApiError)) return UNKNOWN;
    const { code, status, explanation: message = ACCOUNT_FAILED.verify } = error;
    const isWrong = code === "wrong_password";
    if (isWrong || code === "password_required") return { state: "password", message, isWrong };
    // Too many wrong passwords: the link is still valid.
    if (status === 429 && by.password) return { state: "password", message, isWrong: true };
    return isFinal(status) ? { state: STATES[code] ?? "refused", message } : UNKNOWN;
  }
}

const UNKNOWN = { state: "failed", message: ACCOUNT_UNANSWERED.verify } as const;

/** Whether the server examined the link and rejected it. */
function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
