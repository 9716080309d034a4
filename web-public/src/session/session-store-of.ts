import { useMemo } from "react";
import {
  endSession,
  restoreSession,
  type SessionStore,
  sessionStore,
} from "#session-client/session-store.ts";
import { type ApiClient, ApiError } from "../api/client.ts";
import { showToast } from "../components/toast-store.ts";
import { removeDraft } from "../lib/draft-storage.ts";
import { accountClient, readProfile } from "./account-client.ts";
import { type Account, SIGNED_OUT, type SiteSession, useSiteSession } from "./site-session.ts";

/** Milliseconds that a tab may be hidden before the session is rechecked. */
const CHECK_AFTER_MS = 5 * 60_000;

const stores = new WeakMap<SiteSession, SessionStore>();

/**
 * Returns the browser's session store. The first call starts updating the pages: initially, after each change in
 * any tab, and when the user returns to this tab.
 */
export function storeOf(session: SiteSession): SessionStore {
  const known = stores.get(session);
  if (known) return known;
  const store = sessionStore(storageOf(window), window);
  stores.set(session, store);
  const show = () => {
    const account = accountOf(store);
    if (isSame(account, session.current())) return;
    if (session.current().user && !account.user) sayGoodbye(store);
    session.set(account);
  };
  store.subscribe(show);
  show();
  keepRestored(store);
  return store;
}

/** Like `storeOf`, for components that only browsers render. */
export function useStore(): SessionStore {
  return storeOf(useSiteSession());
}

/** Returns a client that acts as the signed-in account. */
export function useAccountClient(): ApiClient {
  const store = useStore();
  return useMemo(() => accountClient(store), [store]);
}

/** New tokens of the session that made the call; its previous ones are revoked. */
export type NewTokens = Parameters<SessionStore["renew"]>[0];

/** Stores new tokens, unless the user has signed out in the meantime. */
export function keepTokens(store: SessionStore, tokens: NewTokens | undefined): void {
  if (!tokens) throw new ApiError(0, { code: "garbled" });
  const { token, refreshToken } = tokens;
  if (store.read()) store.renew({ token, refreshToken });
}

/** Reloads the account, and updates the pages if it changed. */
export async function refreshAccount(store: SessionStore): Promise<void> {
  await restoreSession(store, () => readProfile(accountClient(store)));
}

/** Signs out here and on the server, locally even if the call fails. */
export function signOut(store: SessionStore): Promise<void> {
  return endSession(store, () => accountClient(store).post("/api/auth/logout", { body: {} }));
}

function accountOf(store: SessionStore): Account {
  const user = store.read()?.user;
  return user ? { state: "signed_in", user } : SIGNED_OUT;
}

function isSame(one: Account, other: Account): boolean {
  return one.state === other.state && JSON.stringify(one.user) === JSON.stringify(other.user);
}

function sayGoodbye(store: SessionStore): void {
  const text = "Your session has ended. Sign in again.";
  // Signing out leaves nothing in the browser. A session that ended by itself keeps the draft for its account.
  if (store.endedBy() === "signed_out") removeDraft();
  if (store.endedBy() === "ended") showToast({ kind: "warning", text });
  else showToast({ kind: "info", text: "You're signed out." });
}

/**
 * Refreshes the stored account from its profile: initially, after a sign-in, whose response has fewer fields, and
 * when the user returns to the tab.
 */
function keepRestored(store: SessionStore): void {
  let checked = { id: "", at: 0 };
  const check = () => {
    const id = store.read()?.user.id;
    const isDue = id !== checked.id || Date.now() - checked.at > CHECK_AFTER_MS;
    if (document.visibilityState !== "visible" || !isDue || !id) return;
    checked = { id, at: Date.now() };
    void refreshAccount(store);
  };
  document.addEventListener("visibilitychange", check);
  store.subscribe(check);
  check();
}

/** Returns local storage, or in-memory storage if the browser blocks it. */
function storageOf(window: Window): Storage {
  try {
    window.localStorage.getItem("token");
    return window.localStorage;
  } catch {
    const items: Record<string, string> = {};
    return {
      getItem: (key: string) => items[key] ?? null,
      setItem: (key: string, value: string) => {
        items[key] = value;
      },
      removeItem: (key: string) => {
        delete items[key];
      },
    } as Storage;
  }
}
