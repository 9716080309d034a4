import { describe, expect, it, vi } from "vitest";
import { endSession, restoreSession, sessionStore } from "./session-store.ts";
import { ADMIN, memoryStorage, signedIn } from "./testing/sessions.ts";

const failure = (status: number) => Object.assign(new Error("no"), { status });
const never = () => Promise.reject(new Error("not to be asked"));

describe("the stored session at page load", () => {
  it("is restored with the profile, which replaces the stored account", async () => {
    const session = signedIn();
    const user = { ...ADMIN, first_name: "Dee" };
    expect(await restoreSession(session, async () => user)).toBe("restored");
    expect(session.read()).toMatchObject({ token: "token-1", user: { first_name: "Dee" } });
  });

  it.each([
    ["it is refused", () => Promise.reject(failure(401))],
    ["the account is gone", () => Promise.reject(failure(404))],
    ["the success flag is missing", async () => undefined],
  ])("is deleted when %s", async (_when, profile) => {
    const session = signedIn();
    expect(await restoreSession(session, profile)).toBe("over");
    expect([session.read(), session.endedBy()]).toEqual([null, "ended"]);
  });

  it.each([0, 408, 429, 500, 503])("is kept if the response is %i", async (status) => {
    const session = signedIn();
    expect(await restoreSession(session, () => Promise.reject(failure(status)))).toBe("unknown");
    expect(session.read()).not.toBeNull();
  });

  it("makes no call if no session is stored", async () => {
    expect(await restoreSession(sessionStore(memoryStorage()), never)).toBe("over");
  });

  it("leaves a session alone that another tab opened in the meantime", async () => {
    const session = signedIn();
    const other = { ...ADMIN, id: "other", first_name: "Lee" };
    await restoreSession(session, async () => {
      session.write({ token: "token-7", refreshToken: "refresh-7", user: other });
      throw failure(401);
    });
    expect(session.read()).toEqual({ token: "token-7", refreshToken: "refresh-7", user: other });
  });
});

describe("signing out", () => {
  it("clears the session even if the call fails, which is only logged", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const session = signedIn();
    await endSession(session, () => Promise.reject(failure(500)));
    expect([session.read(), session.endedBy()]).toEqual([null, "signed_out"]);
    expect(warn).toHaveBeenCalledOnce();
  });

  it("doesn't wait for an unresponsive server", async () => {
    vi.useFakeTimers();
    try {
      vi.spyOn(console, "warn").mockImplementation(() => undefined);
      const session = signedIn();
      const ended = endSession(session, () => new Promise(() => undefined));
      await vi.advanceTimersByTimeAsync(4999);
      expect(session.read()).not.toBeNull();
      await vi.advanceTimersByTimeAsync(1);
      await ended;
      expect(session.read()).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });

  it("calls the server only if there is a session", async () => {
    const logout = vi.fn(async () => undefined);
    const session = signedIn();
    await endSession(session, logout);
    await endSession(session, logout);
    expect(logout).toHaveBeenCalledOnce();
  });
});
