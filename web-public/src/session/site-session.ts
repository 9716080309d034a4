import { createContext, use, useSyncExternalStore } from "react";
import { createContext as createRouterContext } from "react-router-dom";
import type { User } from "#contracts/http/account.ts";

/** The signed-in account; `unknown` during server rendering, and until the stored session is read. */
export type Account =
  | { readonly state: "unknown" | "signed_out"; readonly user: null }
  | { readonly state: "signed_in"; readonly user: User };

/** The signed-in account, as pages see it. The session's store is loaded only if there is a session (`storeOf`). */
export interface SiteSession {
  /** Returns the same object until another account signs in or the account changes. */
  current(): Account;
  /** Whether the browser has a stored session, even before it is read. */
  isKept(): boolean;
  set(account: Account): void;
  subscribe(listener: () => void): () => void;
}

const UNKNOWN: Account = { state: "unknown", user: null };
export const SIGNED_OUT: Account = { state: "signed_out", user: null };

/** Opens the session of a browser window. Loads nothing for visitors. */
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
  // The user may sign in in another tab.
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

/** During server rendering the account is unknown. */
const RENDERING: SiteSession = {
  current: () => UNKNOWN,
  isKept: () => false,
  set: () => undefined,
  subscribe: () => () => undefined,
};
/** The session for actions, in the router's context. */
export const sessionContext = createRouterContext(RENDERING);

const SessionContext = createContext(RENDERING);
export const SiteSessionProvider = SessionContext.Provider;

export function useSiteSession(): SiteSession {
  return use(SessionContext);
}

/** Returns the signed-in account, and updates after each change in any tab. */
export function useAccount(): Account {
  const { subscribe, current } = use(SessionContext);
  return useSyncExternalStore(subscribe, current, RENDERING.current);
}
