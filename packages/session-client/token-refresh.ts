import type { SessionStore } from "./session-store.ts";

/** How long new tokens may take from the server to another tab's storage. */
const CHANGE_MS = 500;

/** The part of the Web Locks API that is needed here. */
export interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Name of the lock that every tab, of the site and of the console, takes to renew the session. */
export const SESSION_LOCK = "session-refresh";

/**
 * Locks within this page, for addresses where browsers offer none (plain HTTP on a host other than
 * localhost). Tabs may race there; the server tolerates that for ten seconds.
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
  /** Sends `POST /prod/api/auth/refresh`. */
  readonly post: (refreshToken: string) => Promise<Response>;
}

/**
 * The result of a renewal: the token to try next, that the session is over, or a reply that means
 * neither.
 */
export type Refreshed =
  | { readonly token: string }
  | { readonly over: true }
  | { readonly unknown: Response };

/**
 * Exchanges the refresh token for new tokens. It is for single use, so only one tab does this at a
 * time, and tabs that waited use the tokens that it stored. A session that is over is cleared.
 * @returns a function that takes the refused token. It throws what `post` throws, and for a reply
 * without tokens that calls itself a success, e.g. a proxy's page; the session then stays.
 */
export function tokenRefresh({ session, locks, post }: RefreshOptions) {
  return (refused: string): Promise<Refreshed> =>
    locks.request(SESSION_LOCK, async (): Promise<Refreshed> => {
      const held = session.read();
      if (!held) return { over: true };
      if (held.token !== refused) return { token: held.token };
      const response = await post(held.refreshToken);
      const { status } = response;
      // Refusals are read to their end as well, so that the winner of a race has stored its tokens
      // by then.
      const tokens = await tokensOf(response);
      const now = session.read();
      // Somebody signed out, or in again, before the reply arrived.
      if (!now) return { over: true };
      if (now.token !== refused) return { token: now.token };
      if (status === 200 && tokens) {
        session.renew(tokens);
        return { token: tokens.token };
      }
      if (response.ok) throw new Error("The reply to the renewal holds no tokens");
      if (status !== 400 && status !== 401 && status !== 403) return { unknown: response };
      // Another tab may be changing the password: the server has voided these tokens already, and
      // that tab has not stored the new ones yet.
      await new Promise((resolve) => setTimeout(resolve, CHANGE_MS));
      const later = session.read();
      if (!later) return { over: true };
      if (later.token !== refused) return { token: later.token };
      session.clear("ended");
      return { over: true };
    });
}

async function tokensOf(
  response: Response,
): Promise<{ token: string; refreshToken: string } | null> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const data = (body as { data?: { token?: unknown; refreshToken?: unknown } } | null)?.data;
  return typeof data?.token === "string" && typeof data.refreshToken === "string"
    ? { token: data.token, refreshToken: data.refreshToken }
    : null;
}
