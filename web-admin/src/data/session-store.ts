import type { User } from "#contracts/http/auth.ts";

/** A signed-in account: who it is, and what proves it. */
export interface StoredSession {
  readonly token: string;
  readonly refreshToken: string;
  readonly user: User;
}

/** Keys in local storage. Site and console share the first three, and so one session. */
const KEYS = {
  token: "token",
  refreshToken: "refreshToken",
  user: "user",
  position: "position",
} as const;

/** Holds the session and the position of the session's last command. */
export interface SessionStore {
  /** Null when nobody is signed in, or when what is stored is not whole. */
  read(): StoredSession | null;
  write(session: StoredSession): void;
  /** Keeps the user and exchanges the tokens. */
  renew(tokens: Pick<StoredSession, "token" | "refreshToken">): void;
  updateUser(user: User): void;
  clear(): void;
  /** Value of the last `X-Position`, or null before the session's first command. */
  position(): string | null;
  setPosition(position: string): void;
}

/** A session in the browser's storage, so that it outlives the tab and is the same in every tab. */
export function sessionStore(storage: Storage): SessionStore {
  function read(): StoredSession | null {
    const token = storage.getItem(KEYS.token);
    const refreshToken = storage.getItem(KEYS.refreshToken);
    const user = parseUser(storage.getItem(KEYS.user));
    return token && refreshToken && user ? { token, refreshToken, user } : null;
  }
  function clear(): void {
    for (const key of Object.values(KEYS)) storage.removeItem(key);
  }
  return {
    read,
    clear,
    write(session) {
      clear();
      storage.setItem(KEYS.token, session.token);
      storage.setItem(KEYS.refreshToken, session.refreshToken);
      storage.setItem(KEYS.user, JSON.stringify(session.user));
    },
    renew(tokens) {
      storage.setItem(KEYS.token, tokens.token);
      storage.setItem(KEYS.refreshToken, tokens.refreshToken);
    },
    updateUser(user) {
      storage.setItem(KEYS.user, JSON.stringify(user));
    },
    position: () => storage.getItem(KEYS.position),
    setPosition: (position) => storage.setItem(KEYS.position, position),
  };
}

function parseUser(text: string | null): User | null {
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
