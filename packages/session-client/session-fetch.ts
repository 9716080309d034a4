import type { SessionStore } from "./session-store.ts";

const REFRESH = "/prod/api/auth/refresh";

/**
 * Returns a `fetch` for the session's account. It sends the session's token; on a 401 it refreshes the tokens and
 * retries once. Without a session it is the plain `fetch`. Bodies must be strings, which can be sent twice. The
 * call, the refresh and the retry each have their own time limit. The caller's signal aborts only the call and
 * its retry, because the server issues the new tokens only once. The returned `fetch` resolves to the last
 * response, or to the refresh's own if that neither succeeded nor ended the session, such as a 503.
 */
export function sessionFetch(options: {
  readonly fetch: typeof globalThis.fetch;
  readonly session: SessionStore;
  readonly locks: Locks;
  readonly timeoutMs?: number | undefined;
}): typeof globalThis.fetch {
  const { session } = options;
  const fetch = timeLimited(options.fetch, options.timeoutMs);
  return async (input, init = {}) => {
    const token = session.read()?.token;
    if (!token) return fetch(input, init);
    const response = await fetch(input, withToken(init, token));
    if (response.status !== 401) return response;
    const refresh = tokenRefresh({
      ...options,
      post: (refreshToken) =>
        fetch(REFRESH, {
          method: "POST",
          headers: { accept: "application/json", "content-type": "application/json" },
          body: JSON.stringify({ refreshToken }),
          cache: "no-store",
        }),
    });
    const refreshed = await refresh(token);
    if ("unknown" in refreshed) return refreshed.unknown;
    return "token" in refreshed ? fetch(input, withToken(init, refreshed.token)) : response;
  };
}

function withToken(init: RequestInit, token: string): RequestInit {
  const headers = new Headers(init.headers);
  headers.set("Authorization", `Bearer ${token}`);
  return { ...init, headers };
}

/** Milliseconds allowed for new tokens to get from the server to another tab's storage. */
const CHANGE_MS = 500;

/** The subset of the Web Locks API that is used. */
export interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Name of the lock that every tab of the site and the console acquires to refresh the session. */
const SESSION_LOCK = "session-refresh";

/**
 * Creates locks within this page, for origins without the Web Locks API (plain HTTP on a host other than
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

interface RefreshOptions {
  readonly session: SessionStore;
  readonly locks: Locks;
  /** Sends `POST /prod/api/auth/refresh`. */
  readonly post: (refreshToken: string) => Promise<Response>;
}

/** Outcome of a refresh: the token to try next, the session's end, or an inconclusive response. */
type Refreshed =
  | { readonly token: string }
  | { readonly over: true }
  | { readonly unknown: Response };

/**
 * Exchanges the refresh token for new tokens. It can be used only once, so only one tab does this at a time; tabs
 * that waited use the tokens it stored. Clears a session that has ended.
 * @returns a function that takes the rejected token. It throws what `post` throws, and throws for a successful
 * response without tokens, such as a proxy's page; the session is then kept.
 */
export function tokenRefresh({ session, locks, post }: RefreshOptions) {
  return (refused: string): Promise<Refreshed> =>
    locks.request(SESSION_LOCK, async (): Promise<Refreshed> => {
      const held = session.read();
      if (!held) return { over: true };
      if (held.token !== refused) return { token: held.token };
      const response = await post(held.refreshToken);
      const { status } = response;
      // Read error responses to the end too, so that the winner of a race has stored its tokens by then.
      const tokens = await tokensOf(response);
      const now = session.read();
      // The user signed out, or in again, before the response arrived.
      if (!now) return { over: true };
      if (now.token !== refused) return { token: now.token };
      if (status === 200 && tokens) {
        session.renew(tokens);
        return { token: tokens.token };
      }
      if (response.ok) throw new Error("The refresh response contains no tokens");
      if (status !== 400 && status !== 401 && status !== 403) return { unknown: response };
      // Another tab may be changing the password: the server has already revoked these tokens, and that tab
      // hasn't stored the new ones yet.
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

/** Milliseconds that a request may take until the response's body has been read. */
export const REQUEST_TIMEOUT_MS = 30_000;

/** Returns a `fetch` that applies this limit to each request, in addition to the caller's signal. */
export function timeLimited(
  fetch: typeof globalThis.fetch,
  timeoutMs = REQUEST_TIMEOUT_MS,
): typeof globalThis.fetch {
  return (input, init = {}) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    return fetch(input, { ...init, signal });
  };
}
