import { describe, expect, it, vi } from "vitest";
import type { Role } from "#contracts/http/account.ts";
import { pageLocks } from "#session-client/session-fetch.ts";
import { sessionStore } from "#session-client/session-store.ts";
import { ADMIN, memoryStorage, signedIn } from "#session-client/testing/sessions.ts";
import { type FakeRoute, fakeFetch } from "../../testing/fake-fetch.ts";
import { apiClient } from "../data/api-client.ts";
import { ApiError } from "../data/api-error.ts";
import { consoleAuthProvider, mayAccess } from "./console-auth-provider.ts";

const LOGOUT = "POST /prod/api/auth/logout";
const PROFILE = "GET /prod/api/auth/profile";
const REFRESH = "POST /prod/api/auth/refresh";
const done = { body: { success: true, message: "You are signed out" } };
const unauthorised = { status: 401, body: { success: false, error: { message: "Over" } } };

function auth(routes: Record<string, FakeRoute>, store = sessionStore(memoryStorage())) {
  const { fetch, sent } = fakeFetch(routes);
  const client = apiClient({ fetch, session: store, locks: pageLocks() });
  return { store, sent, provider: consoleAuthProvider(client, store) };
}

describe("a stored session", () => {
  it("is restored from the profile, once per page load and with the account's current role", async () => {
    const { provider, store, sent } = auth(
      { [PROFILE]: { body: { success: true, data: { user: { ...ADMIN, role: "auditor" } } } } },
      signedIn("admin"),
    );
    await Promise.all([provider.checkAuth({}), provider.checkAuth({})]);
    expect(sent).toHaveLength(1);
    expect(store.read()?.user.role).toBe("auditor");
    expect(await provider.getPermissions?.({})).toBe("auditor");
  });

  it.each([
    ["the profile is refused", { [PROFILE]: unauthorised, [REFRESH]: unauthorised }],
    ["the answer lacks its success flag", { [PROFILE]: { body: { data: {} } } }],
  ])("is deleted if %s", async (_when, routes) => {
    const { provider, store } = auth(routes, signedIn());
    await expect(provider.checkAuth({})).rejects.toMatchObject({ redirectTo: "/login?ended" });
    expect(store.read()).toBeNull();
  });

  it("leaves the page as it is if it expired for inactivity", async () => {
    const store = signedIn();
    const { fetch } = fakeFetch({ [PROFILE]: unauthorised, [REFRESH]: unauthorised });
    const client = apiClient({ fetch, session: store, locks: pageLocks() });
    const idle = { isOver: () => true, end: vi.fn() };
    const provider = consoleAuthProvider(client, store, idle);
    await provider.checkError(new ApiError(401, "Over"));
    expect(idle.end).toHaveBeenCalledOnce();
    await provider.checkAuth({});
    const used = consoleAuthProvider(client, store, { ...idle, isOver: () => false });
    await expect(used.checkError(new ApiError(401, "Over"))).rejects.toMatchObject({
      redirectTo: "/login?ended",
    });
  });

  it("is kept if the server is down, and checked again", async () => {
    let isAway = true;
    const { provider, store, sent } = auth(
      {
        [PROFILE]: () => {
          if (isAway) throw new TypeError("Failed to fetch");
          return { body: { success: true, data: { user: ADMIN } } };
        },
      },
      signedIn(),
    );
    await provider.checkAuth({});
    expect(store.read()).not.toBeNull();
    isAway = false;
    await provider.checkAuth({});
    expect(sent).toHaveLength(2);
  });

  it("is invalid if a part of it is missing or broken", () => {
    for (const [key, value] of [
      ["token", ""],
      ["refreshToken", ""],
      ["user", "{"],
      ["user", '"Dana"'],
    ] as const) {
      const storage = memoryStorage();
      signedIn("admin", storage);
      storage.setItem(key, value);
      expect(sessionStore(storage).read()).toBeNull();
    }
  });

  it("uses the same three storage keys as the site", () => {
    const storage = memoryStorage();
    signedIn("admin", storage);
    expect(storage.getItem("token")).toBe("token-1");
    expect(storage.getItem("refreshToken")).toBe("refresh-1");
    expect(JSON.parse(storage.getItem("user") ?? "")).toEqual(ADMIN);
  });
});

describe("the end of a session", () => {
  it("is sent to the server if there is one, and clears everything", async () => {
    const { provider, store, sent } = auth({ [LOGOUT]: done }, signedIn());
    expect(await provider.logout({})).toBe("/login");
    expect(store.read()).toBeNull();
    expect(sent).toHaveLength(1);
    await provider.logout({});
    expect(sent).toHaveLength(1);
  });

  it("follows a 401, and no other refusal", async () => {
    const { provider, store } = auth({}, signedIn());
    await provider.checkError(new ApiError(403, "Not yours"));
    await provider.checkError(new ApiError(0, "Connection failed"));
    expect(store.read()).not.toBeNull();
    await expect(provider.checkError(new ApiError(401, ""))).rejects.toMatchObject({
      redirectTo: "/login?ended",
    });
    expect(store.read()).toBeNull();
  });

  it("is distinct from never having signed in", async () => {
    await expect(auth({}).provider.checkAuth({})).rejects.toMatchObject({ redirectTo: "/login" });
  });
});

describe("access by role", () => {
  it("allows admins everything, auditors the audit log and histories, others nothing", () => {
    const asked = [
      ["reports", "list"],
      ["reports", "show"],
      ["reports", "edit"],
      ["reports", "history"],
      ["audit-logs", "list"],
    ] as const;
    const allowed = (role: Role) => asked.filter(([r, a]) => mayAccess(role, r, a)).length;
    expect([allowed("admin"), allowed("auditor"), allowed("user")]).toEqual([5, 2, 0]);
  });
});
