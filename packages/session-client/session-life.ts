import type { User } from "#contracts/http/auth.ts";
import type { SessionStore } from "./session-store.ts";

/** The state of the stored session when a page starts; `unknown` if there was no reply. */
export type Restored = "restored" | "over" | "unknown";

/**
 * Restores the stored session when a page starts, and updates its account. Any reply other than a
 * profile deletes the session. Without a reply it is kept, and later calls show whether it is
 * valid.
 * @param readProfile `GET /prod/api/auth/profile`; undefined when the reply lacks its success flag.
 * Throws an error with the HTTP `status`, 0 for no reply.
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
  // Another tab has signed in as somebody else, so this reply is not about the present session.
  if (now.user.id !== held.user.id) return "restored";
  if (user) session.updateUser(user);
  else session.clear("ended");
  return user ? "restored" : "over";
}

/** How long a sign-out waits for the server. */
const LOGOUT_MS = 5000;

/**
 * Signs out: calls the server only if there is a session, and clears it whatever the reply, also when
 * there is none for five seconds.
 */
export async function endSession(
  session: SessionStore,
  logout: () => Promise<unknown>,
): Promise<void> {
  if (session.read()) {
    try {
      await Promise.race([logout(), noAnswer(LOGOUT_MS)]);
    } catch (error) {
      const reason = error instanceof Error && error.message ? error.message : "unknown error";
      console.warn("Signing out on the server failed:", reason);
    }
  }
  session.clear();
}

function noAnswer(afterMs: number): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error("no answer in time")), afterMs);
  });
}

/** Whether there was no reply, or one that says nothing about the session. */
function isNoAnswer(error: unknown): boolean {
  const { status } = error as { status?: unknown };
  return (
    typeof status === "number" &&
    (status === 0 || status === 408 || status === 429 || status >= 500)
  );
}
