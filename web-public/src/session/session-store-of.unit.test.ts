import { afterEach, describe, expect, it, vi } from "vitest";
import { sessionStore } from "#session-client/session-store.ts";
import { ADMIN } from "#session-client/testing/sessions.ts";
import { fakeBrowser } from "../../testing/fake-browser.ts";
import { type Answer, ok, refusal } from "../../testing/fake-registry.ts";
import { currentToasts, dismissToasts } from "../components/toast-store.ts";
import { signOut, storeOf } from "./session-store-of.ts";
import { openSiteSession } from "./site-session.ts";

const session = { token: "token-1", refreshToken: "refresh-1", user: ADMIN };
const DRAFT = "registry_report_draft";
const PROFILE = "GET /prod/api/auth/profile";
const LOGOUT = "POST /prod/api/auth/logout";

afterEach(() => {
  dismissToasts("info");
  dismissToasts("warning");
});

describe("the site's session", () => {
  it("is signed out immediately without a stored token, and makes no call", () => {
    const { calls } = fakeBrowser();
    expect(openSiteSession(window).current()).toEqual({ state: "signed_out", user: null });
    expect(calls).toEqual([]);
  });

  it("is restored with the account's current profile", async () => {
    const { calls, storage } = fakeBrowser({
      [PROFILE]: ok({ user: { ...ADMIN, first_name: "Dee" } }),
    });
    sessionStore(storage).write(session);
    const opened = openSiteSession(window);
    expect(opened.current().state).toBe("unknown");
    await vi.waitFor(() => expect(opened.current().user?.first_name).toBe("Dee"));
    expect(calls[0]?.headers.get("authorization")).toBe("Bearer token-1");
    expect(calls).toHaveLength(1);
  });

  it.each<[string, Readonly<Record<string, Answer>>]>([
    [
      "the server says that it ended",
      {
        [PROFILE]: refusal(401, "invalid_token", "Over"),
        "POST /prod/api/auth/refresh": refusal(401, "invalid_token", "Over"),
      },
    ],
    ["the success flag is missing", { [PROFILE]: { body: { data: { user: ADMIN } } } }],
  ])("is deleted when %s", async (_when, answers) => {
    const { storage } = fakeBrowser(answers);
    storage.setItem(DRAFT, "kept for its account");
    sessionStore(storage).write(session);
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
    expect(storage.getItem(DRAFT)).toBe("kept for its account");
  });

  it("is kept while the registry is down", async () => {
    const { calls, storage } = fakeBrowser({ [PROFILE]: undefined });
    sessionStore(storage).write(session);
    const opened = openSiteSession(window);
    await vi.waitFor(() => expect(calls).toHaveLength(1));
    await vi.waitFor(() => expect(opened.current().state).toBe("signed_in"));
    expect(storage.getItem("token")).toBe("token-1");
  });

  it("removes the report draft when its owner signs out", async () => {
    const { calls, storage } = fakeBrowser({ [PROFILE]: ok({ user: ADMIN }), [LOGOUT]: ok({}) });
    sessionStore(storage).write(session);
    const opened = openSiteSession(window);
    await vi.waitFor(() => expect(opened.current().state).toBe("signed_in"));
    storage.setItem(DRAFT, "typed");
    await signOut(storeOf(opened));
    expect(calls.map(({ path }) => path)).toContain("/prod/api/auth/logout");
    expect(storage.getItem(DRAFT)).toBeNull();
    expect(currentToasts().at(-1)?.text).toBe("You're signed out.");
  });

  it("follows sign-ins and sign-outs in other tabs", async () => {
    const { storage, otherTabWrote } = fakeBrowser({ [PROFILE]: ok({ user: ADMIN }) });
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
