import type { AuthProvider } from "react-admin";
import type { Static } from "typebox";
import type { LoginReply, ProfileReply, Role, User } from "#contracts/http/auth.ts";
import type { ApiClient } from "../data/api-client.ts";
import { ApiError, isNetworkError, messageOf } from "../data/api-error.ts";
import type { SessionStore } from "../data/session-store.ts";

const AUTH = "/prod/api/auth";

export const NOT_FOR_USERS =
  "The console is for administrators and auditors. This account is neither.";
export const SESSION_OVER = "Your session has ended. Sign in again.";
/** Query of the sign-in page's address when a session ended by itself. */
export const ENDED = "ended";

/** What an account may open. Auditors read the audit log and replay reports, and change nothing. */
export function mayAccess(role: Role, resource: string, action: string): boolean {
  if (role === "admin") return true;
  if (role !== "auditor") return false;
  return resource === "audit-logs" || (resource === "reports" && action === "history");
}

/** Whether an account's role opens a path of the console, for instance after signing in again. */
export function mayOpen(role: Role, path: string): boolean {
  if (role === "admin") return true;
  const [, resource = "", , action] = path.split("?")[0]?.split("/") ?? [];
  return mayAccess(role, resource, action === "history" ? "history" : "list");
}

/** Name of an account, else its email address. */
export function accountName(user: User): string {
  return `${user.first_name} ${user.last_name}`.trim() || user.email;
}

/** Initial of the first name, else of the email address, else A. */
export function accountInitial(user: Pick<User, "first_name" | "email">): string {
  return ([...(user.first_name.trim() || user.email || "A")][0] ?? "A").toUpperCase();
}

/**
 * What react-admin asks of the registry's sessions. The profile is fetched once a page load: it
 * restores the session with the account's present role, or ends it.
 */
export function consoleAuthProvider(client: ApiClient, session: SessionStore): AuthProvider {
  let restored: Promise<void> | undefined;
  /** Whether somebody was signed in here and did not sign out: then the session ended by itself. */
  let isIn = session.read() !== null;
  // The sign-in page says why one is there; a notice beside would say it twice.
  const refusal = () => ({ message: false, redirectTo: isIn ? `/login?${ENDED}` : "/login" });

  async function restore(): Promise<void> {
    try {
      const reply = (await client.request(`${AUTH}/profile`)).json as Static<
        typeof ProfileReply
      > | null;
      if (!reply?.success) throw new ApiError(401, SESSION_OVER);
      session.updateUser(reply.data.user);
    } catch (error) {
      restored = undefined;
      // Without an answer nothing is known against the session: later requests will show it.
      if (isNetworkError(error) || (error instanceof ApiError && error.status >= 500)) return;
      session.clear();
      throw error;
    }
  }

  return {
    async login({ email, password, next }: { email: string; password: string; next?: string }) {
      let reply: Static<typeof LoginReply>;
      try {
        const body = { email: email.trim(), password };
        reply = (await client.anonymous(`${AUTH}/login`, body)).json as Static<typeof LoginReply>;
      } catch (error) {
        throw new Error(messageOf(error, "Login failed"));
      }
      const { user, token, refreshToken } = reply.data;
      session.write({ user, token, refreshToken });
      if (user.role === "user") {
        await endSession(client, session);
        throw new Error(NOT_FOR_USERS);
      }
      restored = Promise.resolve();
      isIn = true;
      return { redirectTo: next && mayOpen(user.role, next) ? next : "/" };
    },
    async logout() {
      restored = undefined;
      // Called without a session too, to redirect to the sign-in page.
      if (session.read()) isIn = false;
      await endSession(client, session);
      return refusal().redirectTo;
    },
    async checkAuth() {
      if (!session.read()) throw refusal();
      restored ??= restore();
      await restored.catch(() => {
        throw refusal();
      });
    },
    async checkError(error: unknown) {
      if (error instanceof ApiError && error.status === 401) {
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

/** Ends the session locally whatever the server answers, which is only logged. */
async function endSession(client: ApiClient, session: SessionStore): Promise<void> {
  const held = session.read();
  if (!held) return session.clear();
  try {
    await client.request(`${AUTH}/logout`, { method: "POST", body: {} });
  } catch (error) {
    console.warn("Signing out on the server failed:", messageOf(error, "unknown error"));
  }
  session.clear();
}
