import type { User } from "#contracts/http/auth.ts";

/** A signed-in account: who it is, and the tokens that prove it. */
export interface StoredSession {
  readonly token: string;
  readonly refreshToken: string;
  readonly user: User;
}

/** Keys in local storage. Site and console share them, and so share one session. */
const KEYS = ["token", "refreshToken", "user"] as const;
/** Belongs to the session as well, but the site keeps its own position in a cookie. */
const POSITION = "position";

/** Why a session is gone: its owner signed out, or the server ended it. */
export type SessionEnd = "signed_out" | "ended";

/** Holds the session and the position of the session's last command. */
export interface SessionStore {
  /** Null if nobody is signed in, or if the stored session is incomplete. */
  read(): StoredSession | null;
  write(session: StoredSession): void;
  /** Keeps the user and replaces the tokens. */
  renew(tokens: Pick<StoredSession, "token" | "refreshToken">): void;
  updateUser(user: User): void;
  clear(why?: SessionEnd): void;
  /**
   * Why this tab last cleared the session; undefined while there is a session, and in other tabs.
   */
  endedBy(): SessionEnd | undefined;
  /** Value of the last `X-Position`, or null before the session's first command. */
  position(): string | null;
  setPosition(position: string): void;
  /**
   * Calls `listener` after each change, in this tab or another. @returns a function that stops
   * this.
   */
  subscribe(listener: () => void): () => void;
}

/** What is left of a session whose other keys are gone is removed so long after the start. */
const REMAINS_MS = 1000;
/** Another tab writes key by key. Changes within this time are reported as one. */
const TOGETHER_MS = 30;

/**
 * A session in the browser's storage, so that it outlives the tab and all tabs share it.
 * @param events where `storage` events of other tabs arrive: the window
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
  // Not at once: another tab may be writing them.
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
