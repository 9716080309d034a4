import type { User } from "#contracts/http/account.ts";

/** A signed-in account and its tokens. */
export interface StoredSession {
  readonly token: string;
  readonly refreshToken: string;
  readonly user: User;
}

/** Local storage keys. The site and the console share them, and therefore one session. */
const KEYS = ["token", "refreshToken", "user"] as const;
/** Part of the session too, but the site keeps its own position in a cookie. */
const POSITION = "position";

/** Why a session is gone: its owner signed out, or the server ended it. */
export type SessionEnd = "signed_out" | "ended";

/** Holds the session and the position of the session's last command. */
export interface SessionStore {
  /** Null if no one is signed in, or the stored session is incomplete. */
  read(): StoredSession | null;
  write(session: StoredSession): void;
  /** Keeps the user and replaces the tokens. */
  renew(tokens: Pick<StoredSession, "token" | "refreshToken">): void;
  updateUser(user: User): void;
  clear(why?: SessionEnd): void;
  /** Why this tab last cleared the session; undefined while there is a session, and in other tabs. */
  endedBy(): SessionEnd | undefined;
  /** Value of the last `X-Position`, or null before the session's first command. */
  position(): string | null;
  setPosition(position: string): void;
  /** Calls `listener` after each change, in this tab or another. @returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}

/** Milliseconds after startup at which an incomplete session is removed. */
const REMAINS_MS = 1000;
/** Another tab writes key by key. Changes within this many milliseconds are reported as one. */
const TOGETHER_MS = 30;

/**
 * Keeps a session in the browser's storage, shared by all tabs.
 * @param events the window, which dispatches `storage` events.
 */
export function sessionStore(
  storage: Storage,
  events?: Pick<Window, "addEventListener">,
): SessionStore {
  const listeners = new Set<() => void>();
  let ended: SessionEnd | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = () => {
    for (const listener of listeners) listener();
  };
  events?.addEventListener("storage", ({ key, storageArea }) => {
    const isOurs = key === null || (KEYS as readonly string[]).includes(key);
    if (!isOurs || (storageArea && storageArea !== storage)) return;
    clearTimeout(timer);
    timer = setTimeout(tell, TOGETHER_MS);
  });

  function read(): StoredSession | null {
    const [token, refreshToken, user] = KEYS.map((key) => storage.getItem(key));
    const parsed = parseUser(user);
    return token && refreshToken && parsed ? { token, refreshToken, user: parsed } : null;
  }
  function setTokens(tokens: Pick<StoredSession, "token" | "refreshToken">): void {
    storage.setItem("token", tokens.token);
    storage.setItem("refreshToken", tokens.refreshToken);
  }
  function setUser(user: User): void {
    storage.setItem("user", JSON.stringify(user));
  }
  const store: SessionStore = {
    read,
    write(session) {
      ended = undefined;
      storage.removeItem(POSITION);
      setTokens(session);
      setUser(session.user);
      tell();
    },
    renew(tokens) {
      setTokens(tokens);
      tell();
    },
    updateUser(user) {
      setUser(user);
      tell();
    },
    clear(why = "signed_out") {
      if (read()) ended = why;
      for (const key of [...KEYS, POSITION]) storage.removeItem(key);
      tell();
    },
    endedBy: () => (read() ? undefined : ended),
    position: () => storage.getItem(POSITION),
    setPosition: (position) => storage.setItem(POSITION, position),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  // Wait first: another tab may be writing them.
  if (events)
    setTimeout(() => {
      if (!read() && KEYS.some((key) => storage.getItem(key) !== null)) store.clear("ended");
    }, REMAINS_MS);
  return store;
}

function parseUser(text: string | null | undefined): User | null {
  if (!text) return null;
  try {
    const user: unknown = JSON.parse(text);
    return isUser(user) ? user : null;
  } catch {
    return null;
  }
}

function isUser(value: unknown): value is User {
  return typeof value === "object" && value !== null && "id" in value && "role" in value;
}

/** Outcome for the session stored at page load; `unknown` if the response was inconclusive. */
type Restored = "restored" | "over" | "unknown";

/**
 * Restores the stored session at page load and updates its account. Deletes the session if the response is
 * conclusive and not a profile. Otherwise keeps it; later calls will show whether it is valid.
 * @param readProfile `GET /prod/api/auth/profile`; resolves to undefined if the response lacks its success flag.
 * Throws an error with the HTTP `status`, 0 for no response.
 */
export async function restoreSession(
  session: SessionStore,
  readProfile: () => Promise<User | undefined>,
): Promise<Restored> {
  const held = session.read();
  if (!held) return "over";
  let user: User | undefined;
  try {
    user = await readProfile();
  } catch (error) {
    if (isNoAnswer(error)) return "unknown";
  }
  const now = session.read();
  if (!now) return "over";
  // Another tab signed in as someone else, so this response isn't about the current session.
  if (now.user.id !== held.user.id) return "restored";
  if (user) session.updateUser(user);
  else session.clear("ended");
  return user ? "restored" : "over";
}

/** Milliseconds that a sign-out waits for the server. */
const LOGOUT_MS = 5000;

/** Signs out: calls the server if there is a session, then clears it, whatever the outcome, within five seconds. */
export async function endSession(
  session: SessionStore,
  logout: () => Promise<unknown>,
): Promise<void> {
  if (session.read()) {
    try {
      await Promise.race([logout(), noAnswer(LOGOUT_MS)]);
    } catch (error) {
      const reason = error instanceof Error && error.message ? error.message : "unknown error";
      console.warn("Signing out on the server failed:", reason);
    }
  }
  session.clear();
}

function noAnswer(afterMs: number): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error("no answer in time")), afterMs);
  });
}

/** Whether there was no response, or one that is inconclusive about the session. */
function isNoAnswer(error: unknown): boolean {
  const { status } = error as { status?: unknown };
  return (
    typeof status === "number" &&
    (status === 0 || status === 408 || status === 429 || status >= 500)
  );
}

/** Returns an account's name, or else its email address. */
export function accountName(user: Pick<User, "first_name" | "last_name" | "email">): string {
  return `${user.first_name} ${user.last_name}`.trim() || user.email;
}

/** Returns the initial of the first name, or else of the email address, or else A. */
export function accountInitial(user: Pick<User, "first_name" | "email">): string {
  return ([...(user.first_name.trim() || user.email || "A")][0] ?? "A").toUpperCase();
}
