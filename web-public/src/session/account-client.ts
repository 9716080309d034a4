import type { User } from "#contracts/http/account.ts";
import { type Locks, pageLocks, sessionFetch } from "#session-client/session-fetch.ts";
import type { SessionStore } from "#session-client/session-store.ts";
import { type ApiClient, ApiError, createApiClient } from "../api/client.ts";
import { positionCookieStore } from "../api/position-cookie.ts";

const ownLocks = pageLocks();

/** Returns a client whose calls carry the session's token, and refresh it on a 401. */
export function accountClient(
  store: SessionStore,
  fetch: typeof globalThis.fetch = globalThis.fetch.bind(globalThis),
  locks: Locks = navigator.locks ?? ownLocks,
): ApiClient {
  return createApiClient({
    baseUrl: "",
    position: positionCookieStore(document),
    fetch,
    sender: (fetch, timeoutMs) => sessionFetch({ fetch, session: store, locks, timeoutMs }),
  });
}

/** GET /api/auth/profile. Resolves to undefined if the response violates the contract. */
export async function readProfile(api: ApiClient, signal?: AbortSignal): Promise<User | undefined> {
  try {
    return (await api.get<{ user: User }>("/api/auth/profile", { signal })).user;
  } catch (error) {
    const isReply = error instanceof ApiError && error.status === 0 && error.code !== "unreachable";
    if (isReply) return undefined;
    throw error;
  }
}
