import type { SessionStore } from "./session-store.ts";
import { timeLimited } from "./time-limit.ts";
import { type Locks, tokenRefresh } from "./token-refresh.ts";

const REFRESH = "/prod/api/auth/refresh";

/**
 * A `fetch` for the session's account. It sends the session's token; if that is refused, the tokens
 * are renewed and the call is sent once more. Without a session it is the plain `fetch`. Bodies
 * must be texts, which can be sent twice. The call, the renewal and the repeat have a time limit each.
 * The caller's signal aborts only the call and its repeat: the server gives the new tokens only once.
 * @returns the last reply; the renewal's own, if that neither succeeded nor ended the session, for
 * instance 503.
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
