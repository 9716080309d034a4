import { createContext, use, useSyncExternalStore } from "react";
import { createContext as createRouterContext } from "react-router-dom";
import type { User } from "#contracts/http/account.ts";

/** Who is signed in; `unknown` where the server renders, and until the stored session is read. */
export type Account =
  | { readonly state: "unknown" | "signed_out"; readonly user: null }
  | { readonly state: "signed_in"; readonly user: User };

/** Who is signed in, as pages see it. What keeps a session comes when there is one (`storeOf`). */
export interface SiteSession {
  /** The same object until somebody else is signed in, or the account has changed. */
  current(): Account;
  /** Whether the browser keeps a session, also before it is read. */
  isKept(): boolean;
  set(account: Account): void;
  subscribe(listener: () => void): () => void;
}

const UNKNOWN: Account = { state: "unknown", user: null };
export const SIGNED_OUT: Account = { state: "signed_out", user: null };

/** The session of a browser's window. Visitors load nothing for it. */
export function openSiteSession(window: Window): SiteSession {
  const listeners = new Set<() => void>();
  let account = UNKNOWN;
  const session: SiteSession = {
    current: () => account,
    isKept: () => account.state !== "signed_out" && hasToken(window),
    set(next) {
      account = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const load = async () => (await import("./session-store-of.ts")).storeOf(session);
  // Somebody may sign in in another tab.
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key === "token" && newValue) void load();
  });
  if (hasToken(window)) void load();
  else session.set(SIGNED_OUT);
  return session;
}

function hasToken(window: Window): boolean {
  try {
    return Boolean(window.localStorage.getItem("token"));
  } catch {
    return false;
  }
}

/** Where pages are rendered nobody knows who is signed in. */
const RENDERING: SiteSession = {
  current: () => UNKNOWN,
  isKept: () => false,
  set: () => undefined,
  subscribe: () => () => undefined,
};
/** The session that actions find in the router's context. */
export const sessionContext = createRouterContext(RENDERING);

const SessionContext = createContext(RENDERING);
export const SiteSessionProvider = SessionContext.Provider;

export function useSiteSession(): SiteSession {
  return use(SessionContext);
}

/** Who is signed in, in this tab and after each change in another. */
export function useAccount(): Account {
  const { subscribe, current } = use(SessionContext);
  return useSyncExternalStore(subscribe, current, RENDERING.current);
}
