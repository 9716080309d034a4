import { apiErrorOf } from "./api-error.ts";
import type { SessionStore } from "./session-store.ts";

/** The part of the Web Locks API that is needed here. */
export interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Name of the lock that every tab, of the site and of the console, takes to renew the session. */
export const SESSION_LOCK = "session-refresh";

/**
 * Locks within this page, for addresses where browsers offer none (plain HTTP on another host than
 * localhost). Tabs may race there; the server forgives that for ten seconds.
 */
export function pageLocks(): Locks {
  let last: Promise<unknown> = Promise.resolve();
  return {
    request(_name, work) {
      const mine = last.then(work, work);
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}

export interface RefreshOptions {
  readonly session: SessionStore;
  readonly locks: Locks;
  /** Sends `POST /prod/api/auth/refresh`; status and parsed body of the answer. */
  readonly post: (refreshToken: string) => Promise<{ status: number; body: unknown }>;
}

/**
 * Exchanges the refresh token for new tokens. It is single use, so one tab does it at a time, and
 * who waited takes over what the one before has stored.
 * @returns given the token that was refused, the token to try next; null when the session is over
 *   (it is cleared then).
 * @throws ApiError when the server cannot say; the session stays.
 */
export function tokenRefresh({ session, locks, post }: RefreshOptions) {
  return (refused: string): Promise<string | null> =>
    locks.request(SESSION_LOCK, async () => {
      const held = session.read();
      if (!held) return null;
      if (held.token !== refused) return held.token;
      const { status, body } = await post(held.refreshToken);
      const tokens = status === 200 ? tokensOf(body) : null;
      if (tokens) {
        session.renew(tokens);
        return tokens.token;
      }
      if (status !== 400 && status !== 401 && status !== 403) throw apiErrorOf(status, body);
      const now = session.read();
      if (now && now.token !== refused) return now.token;
      session.clear();
      return null;
    });
}

function tokensOf(body: unknown): { token: string; refreshToken: string } | null {
  const data = (body as { data?: { token?: unknown; refreshToken?: unknown } } | null)?.data;
  return typeof data?.token === "string" && typeof data.refreshToken === "string"
    ? { token: data.token, refreshToken: data.refreshToken }
    : null;
}
