import { describe, expect, it } from "vitest";
import { sessionStore } from "#session-client/session-store.ts";
import { keepTokens } from "./session-store-of.ts";

function storeOf(items: Record<string, string>) {
  const map = new Map(Object.entries(items));
  return sessionStore({
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
  } as Storage);
}
const NEW = { token: "new", refreshToken: "newer" };
const user = { id: "7", role: "user" };

describe("new tokens of a session", () => {
  it("are stored without changing the account", () => {
    const store = storeOf({ token: "old", refreshToken: "older", user: JSON.stringify(user) });
    keepTokens(store, NEW);
    expect(store.read()).toEqual({ ...NEW, user });
  });

  it("don't sign in a user who has signed out in the meantime", () => {
    const store = storeOf({});
    const changes: string[] = [];
    store.subscribe(() => changes.push("changed"));
    keepTokens(store, NEW);
    expect(changes).toEqual([]);
  });

  it("are reported as missing if a reply has none", () => {
    const store = storeOf({ token: "old", refreshToken: "older", user: JSON.stringify(user) });
    expect(() => keepTokens(store, undefined)).toThrow();
    expect(store.read()?.token).toBe("old");
  });
});
