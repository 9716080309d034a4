import type { AuthProvider } from "react-admin";
import type { Static } from "typebox";
import type { ProfileReply, Role } from "#contracts/http/account.ts";
import {
  accountInitial,
  accountName,
  endSession,
  restoreSession,
  type SessionStore,
} from "#session-client/session-store.ts";
import type { ApiClient } from "../data/api-client.ts";
import { ApiError } from "../data/api-error.ts";
import type { IdleSession } from "./idle-session.ts";

const AUTH = "/prod/api/auth";

export const NOT_FOR_USERS = "This account can't use the console. Only admins and auditors can.";
const SESSION_OVER = "Your session has ended. Sign in again.";
/** Query parameter of the sign-in page after a session that expired. */
export const ENDED = "ended";

/**
 * Whether a role has access to a resource. Auditors can read the audit log and histories but can't change anything.
 */
export function mayAccess(role: Role, resource: string, action: string): boolean {
  if (role === "admin") return true;
  if (role !== "auditor") return false;
  return resource === "audit-logs" || (resource === "reports" && action === "history");
}

/**
 * Implements react-admin's auth interface with the registry's sessions. The profile is fetched once per page load: it
 * restores the session with the account's current role, or ends it.
 * @param idle if it reports that the session expired for inactivity, the page stays and waits.
 */
export function consoleAuthProvider(
  client: ApiClient,
  session: SessionStore,
  idle?: Pick<IdleSession, "isOver" | "end">,
): AuthProvider {
  let restored: Promise<void> | undefined;
  /** Whether a user is signed in here and did not sign out. If so, a missing session has expired. */
  let isIn = session.read() !== null;
  // The sign-in page explains why it is shown, so no notice repeats it.
  const refusal = () => ({ message: false, redirectTo: isIn ? `/login?${ENDED}` : "/login" });

  async function restore(): Promise<void> {
    const outcome = await restoreSession(session, async () => {
      const { json } = await client.request(`${AUTH}/profile`);
      const reply = json as Static<typeof ProfileReply> | null;
      return reply?.success ? reply.data.user : undefined;
    });
    if (outcome !== "restored") restored = undefined;
    if (outcome === "over") throw new ApiError(401, SESSION_OVER);
  }
  const signOut = () =>
    endSession(session, () => client.request(`${AUTH}/logout`, { method: "POST", body: {} }));

  return {
    /** Never called: the site handles sign-in, and `SignInPage` redirects there. */
    async login() {
      throw new Error("The console has no separate sign-in");
    },
    async logout() {
      restored = undefined;
      // Also called without a session, to redirect to the sign-in page.
      if (session.read()) isIn = false;
      await signOut();
      return refusal().redirectTo;
    },
    async checkAuth() {
      if (idle?.isOver()) return;
      if (!session.read()) throw refusal();
      restored ??= restore();
      await restored.catch(() => {
        throw refusal();
      });
    },
    async checkError(error: unknown) {
      if (error instanceof ApiError && error.status === 401) {
        if (idle?.isOver()) return idle.end();
        session.clear();
        throw refusal();
      }
    },
    async getIdentity() {
      const user = session.read()?.user;
      if (!user) throw new Error(SESSION_OVER);
      return {
        id: user.id,
        fullName: accountName(user),
        email: user.email,
        initial: accountInitial(user),
        role: user.role,
      };
    },
    async getPermissions() {
      return session.read()?.user.role ?? null;
    },
    async canAccess({ resource, action }) {
      const role = session.read()?.user.role;
      return role !== undefined && mayAccess(role, resource, action);
    },
  };
}
