import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sessionStore } from "#session-client/session-store.ts";
import { ADMIN, memoryStorage } from "#session-client/testing/sessions.ts";
import { type Answer, fakeRegistry, ok, refusal } from "../../testing/fake-registry.ts";
import { currentToasts, dismissToasts } from "../components/toast-store.ts";
import { signOut, storeOf } from "./session-store-of.ts";
import { openSiteSession } from "./site-session.ts";

const session = { token: "token-1", refreshToken: "refresh-1", user: ADMIN };
const PROFILE = "GET /prod/api/auth/profile";
const LOGOUT = "POST /prod/api/auth/logout";

let storage: Storage;
/** Calls `storage` listeners, as another tab's write does. */
let otherTabWrote: (key: string, newValue: string | null) => void;

/** A browser with a registry behind it; what it has stored is in `storage`. */
function browser(answers: Readonly<Record<string, Answer>>) {
  const registry = fakeRegistry(answers);
  vi.stubGlobal("fetch", ((input: string, init?: RequestInit) =>
    registry.fetch(new URL(input, "http://registry.test"), init)) as typeof fetch);
  return registry;
}

beforeEach(() => {
  storage = memoryStorage();
  const listeners: ((event: StorageEvent) => void)[] = [];
  otherTabWrote = (key, newValue) => {
    for (const listener of listeners) listener({ key, newValue } as StorageEvent);
  };
  vi.stubGlobal("window", {
    localStorage: storage,
    addEventListener: (_type: string, listener: (event: StorageEvent) => void) =>
      listeners.push(listener),
  });
  vi.stubGlobal("document", {
    cookie: "",
    location: { protocol: "https:" },
    visibilityState: "visible",
    documentElement: { dataset: {} },
    addEventListener: () => undefined,
  });
});
afterEach(() => {
  dismissToasts("info");
  dismissToasts("warning");
});

describe("the session of the site", () => {
  it("is signed out at once without a stored token, and asks nothing", () => {
    const { calls } = browser({});
    expect(openSiteSession(window).current()).toEqual({ state: "signed_out", user: null });
    expect(calls).toEqual([]);
  });

  it("is restored by the profile, with the account as it is now", async () => {
    sessionStore(storage).write(session);
    const { calls } = browser({ [PROFILE]: ok({ user: { ...ADMIN, first_name: "Dee" } }) });
    const opened = openSiteSession(window);
    expect(opened.current().state).toBe("unknown");
    await vi.waitFor(() => expect(opened.current().user?.first_name).toBe("Dee"));
    expect(calls[0]?.headers.get("authorization")).toBe("Bearer token-1");
    expect(calls).toHaveLength(1);
  });

  it.each<[string, Readonly<Record<string, Answer>>]>([
    [
      "the server says that it is over",
      {
        [PROFILE]: refusal(401, "invalid_token", "Over"),
        "POST /prod/api/auth/refresh": refusal(401, "invalid_token", "Over"),
      },
    ],
    ["the success flag is missing", { [PROFILE]: { body: { data: { user: ADMIN } } } }],
  ])("is deleted when %s", async (_when, answers) => {
    sessionStore(storage).write(session);
    browser(answers);
    const opened = openSiteSession(window);
    await vi.waitFor(() => expect(opened.current().state).toBe("signed_out"));
    expect(["token", "refreshToken", "user"].map((key) => storage.getItem(key))).toEqual([
      null,
      null,
      null,
    ]);
    expect(currentToasts().map(({ text }) => text)).toEqual([
      "Your session has ended. Sign in again.",
    ]);
  });

  it("stays while the registry does not answer", async () => {
    sessionStore(storage).write(session);
    const { calls } = browser({ [PROFILE]: undefined });
    const opened = openSiteSession(window);
    await vi.waitFor(() => expect(calls).toHaveLength(1));
    await vi.waitFor(() => expect(opened.current().state).toBe("signed_in"));
    expect(storage.getItem("token")).toBe("token-1");
  });

  it("is cleared by a sign-out even when the call fails", async () => {
    sessionStore(storage).write(session);
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const { calls } = browser({ [PROFILE]: ok({ user: ADMIN }), [LOGOUT]: undefined });
    const opened = openSiteSession(window);
    await signOut(storeOf(opened));
    expect(calls.map(({ path }) => path)).toContain("/prod/api/auth/logout");
    expect(opened.current().state).toBe("signed_out");
    expect(storage.getItem("token")).toBeNull();
    expect(currentToasts().at(-1)?.text).toBe("You are signed out.");
  });

  it("follows a sign-in and a sign-out in another tab", async () => {
    browser({ [PROFILE]: ok({ user: ADMIN }) });
    const opened = openSiteSession(window);
    const other = sessionStore(storage);
    other.write(session);
    otherTabWrote("token", "token-1");
    await vi.waitFor(() => expect(opened.current().user?.id).toBe(ADMIN.id));
    other.clear();
    otherTabWrote("token", null);
    await vi.waitFor(() => expect(opened.current().state).toBe("signed_out"));
  });
});
