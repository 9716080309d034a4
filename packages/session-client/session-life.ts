import type { User } from "#contracts/http/auth.ts";
import type { SessionStore } from "./session-store.ts";

/** What the start of a page found out about the stored session; `unknown` when nobody answered. */
export type Restored = "restored" | "over" | "unknown";

/**
 * Restores the stored session at the start of a page, with the account as it is now. Anything but a
 * profile deletes it; without an answer nothing is known against it, and later calls will show.
 * @param readProfile `GET /prod/api/auth/profile`; undefined when the answer lacks its success
 *   flag. Throws an error with the HTTP `status`, 0 for no answer.
 */
export async function restoreSession(
  session: SessionStore,
  readProfile: () => Promise<User | undefined>,
): Promise<Restored> {
  const held = session.read();
  if (!held) return "over";
  let user: User | undefined;
  try {
    user = await readProfile();
  } catch (error) {
    if (isNoAnswer(error)) return "unknown";
  }
  const now = session.read();
  if (!now) return "over";
  // Another tab has signed in as somebody else: this answer is not about that session.
  if (now.user.id !== held.user.id) return "restored";
  if (user) session.updateUser(user);
  else session.clear("ended");
  return user ? "restored" : "over";
}

/** Signs out: calls the server only when there is a session, and clears it whatever comes back. */
export async function endSession(
  session: SessionStore,
  logout: () => Promise<unknown>,
): Promise<void> {
  if (session.read()) {
    try {
      await logout();
    } catch (error) {
      const reason = error instanceof Error && error.message ? error.message : "unknown error";
      console.warn("Signing out on the server failed:", reason);
    }
  }
  session.clear();
}

/** Whether the call got no answer, or one that says nothing about the session. */
function isNoAnswer(error: unknown): boolean {
  const { status } = error as { status?: unknown };
  return (
    typeof status === "number" &&
    (status === 0 || status === 408 || status === 429 || status >= 500)
  );
}
