import type { Role, User } from "#contracts/http/account.ts";
import { type SessionStore, sessionStore } from "../session-store.ts";

export const ADMIN: User = {
  id: "5b0b7f3e-0000-4000-8000-000000000001",
  first_name: "Dana",
  last_name: "Ruiz",
  email: "dana@registry.example",
  role: "admin",
  created_at: "2026-01-02T03:04:05.000Z",
};

/** Creates the session of an account with this role, signed in with `token-1` and `refresh-1`. */
export function signedIn(role: Role = "admin", storage = memoryStorage()): SessionStore {
  const session = sessionStore(storage);
  session.write({ user: { ...ADMIN, role }, token: "token-1", refreshToken: "refresh-1" });
  return session;
}

/** In-memory `Storage`. */
export function memoryStorage(): Storage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    clear: () => items.clear(),
    getItem: (key) => items.get(key) ?? null,
    key: (index) => [...items.keys()][index] ?? null,
    removeItem: (key) => void items.delete(key),
    setItem: (key, value) => void items.set(key, value),
  };
}
