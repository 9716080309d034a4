import {
  ACCOUNT_DONE,
  ACCOUNT_FAILED,
  ACCOUNT_UNANSWERED,
} from "#contracts/account/account-words.ts";
import { type ApiClient, ApiError } from "../../api/client.ts";
import { type VerifiedEmail, verifyEmail } from "../../api/verify-email.ts";

export type Verification =
  | { readonly state: "verified"; readonly message: string; readonly of?: VerifiedEmail }
  /** The link was used before, or staff confirmed the address. Nothing is wrong. */
  | { readonly state: "already"; readonly message: string }
  /** The link does not work and never will. */
  | { readonly state: "refused"; readonly message: string }
  /** Nothing is accepted from the address of the report now. */
  | { readonly state: "suspended"; readonly message: string }
  /** The outcome is unknown, and another attempt may work. */
  | { readonly state: "failed"; readonly message: string };

const STATES: Readonly<Record<string, "already" | "suspended">> = {
  already_verified: "already",
  submission_refused: "suspended",
};

const started = new Map<string, Promise<Verification>>();

/**
 * Uses a verification link. A link works only once, so a token is posted once in the page's
 * lifetime, however often a component asks for it, as React does in StrictMode. Only a call without
 * a final answer is repeated.
 *
 * @param api of who is signed in, which tells the registry that the account's owner confirms
 * @param asVisitor for when that session is over
 */
export function verifyOnce(api: ApiClient, token: string, asVisitor = api): Promise<Verification> {
  const running = started.get(token);
  if (running) return running;
  const verification = openLink(api, token, asVisitor).then((outcome) => {
    if (outcome.state === "failed") started.delete(token);
    return outcome;
  });
  started.set(token, verification);
  return verification;
}

/** Posts a token, and says what came of it. */
export async function openLink(
  api: ApiClient,
  token: string,
  asVisitor: ApiClient,
): Promise<Verification> {
  // An address that a mail program has cut off.
  if (!token) return { state: "refused", message: ACCOUNT_FAILED.verifyLink };
  try {
    const { message = ACCOUNT_DONE.verified, data } = await verifyEmail(api, token).catch(
      (error) => {
        // The session that this browser kept is over; the link is good without.
        if (error instanceof ApiError && error.status === 401) return verifyEmail(asVisitor, token);
        throw error;
      },
    );
    return { state: "verified", message, ...(data ? { of: data } : {}) };
  } catch (error) {
    if (error instanceof ApiError && isFinal(error.status)) {
      const state = STATES[error.code ?? ""] ?? "refused";
      return { state, message: error.explanation ?? ACCOUNT_FAILED.verify };
    }
    return { state: "failed", message: ACCOUNT_UNANSWERED.verify };
  }
}

/** Whether the server examined the link and refused it. */
function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
