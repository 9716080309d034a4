import { type ApiClient, ApiError } from "../../api/client.ts";
import { verifyEmail } from "../../api/verify-email.ts";

export type Verification =
  | { readonly state: "verified"; readonly message: string }
  /** The link was used before, or staff confirmed the address. Nothing is wrong. */
  | { readonly state: "already"; readonly message: string }
  /** The link does not work and never will. */
  | { readonly state: "refused"; readonly message: string }
  /** The outcome is unknown, and another attempt may work. */
  | { readonly state: "failed"; readonly message: string };

const started = new Map<string, Promise<Verification>>();

/**
 * Uses a verification link. A link works only once, so a token is posted once in the page's
 * lifetime, however often a component asks for it, as React does in StrictMode. Only a call without
 * a final answer is repeated.
 */
export function verifyOnce(api: ApiClient, token: string): Promise<Verification> {
  const running = started.get(token);
  if (running) return running;
  const verification = verify(api, token).then((outcome) => {
    if (outcome.state === "failed") started.delete(token);
    return outcome;
  });
  started.set(token, verification);
  return verification;
}

async function verify(api: ApiClient, token: string): Promise<Verification> {
  try {
    const reply = await verifyEmail(api, token);
    return { state: "verified", message: reply.message ?? "Email verified successfully!" };
  } catch (error) {
    if (error instanceof ApiError && isFinal(error.status)) {
      const message = "Verification failed. The link may be invalid or expired.";
      const state = error.code === "already_verified" ? "already" : "refused";
      return { state, message: error.explanation ?? message };
    }
    const message = "An error occurred during verification. Please try again later.";
    return { state: "failed", message };
  }
}

/** Whether the server examined the link and refused it. */
function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
