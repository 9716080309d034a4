import { describe, expect, it } from "vitest";
import { type Locks, pageLocks, tokenRefresh } from "./session-fetch.ts";
import { sessionStore } from "./session-store.ts";
import { memoryStorage, signedIn } from "./testing/sessions.ts";

/** A server with single-use refresh tokens, like the registry's. */
function server(status = 200) {
  let turn = 1;
  const used: string[] = [];
  return {
    used,
    async post(refreshToken: string) {
      await Promise.resolve();
      used.push(refreshToken);
      if (status !== 200) return Response.json({ success: false }, { status });
      if (refreshToken !== `refresh-${turn}`)
        return Response.json({ success: false }, { status: 401 });
      turn += 1;
      const data = { token: `token-${turn}`, refreshToken: `refresh-${turn}` };
      return Response.json({ success: true, data });
    },
  };
}

describe("refreshing a session", () => {
  it("uses the refresh token once when two tabs get a 401 at the same time", async () => {
    const storage = memoryStorage();
    signedIn("admin", storage);
    const { post, used } = server();
    const locks = pageLocks();
    const tabs = [1, 2].map(() => tokenRefresh({ session: sessionStore(storage), locks, post }));
    const tokens = await Promise.all(tabs.map((refresh) => refresh("token-1")));
    expect(tokens).toEqual([{ token: "token-2" }, { token: "token-2" }]);
    expect(used).toEqual(["refresh-1"]);
    expect(sessionStore(storage).read()).toMatchObject({
      token: "token-2",
      refreshToken: "refresh-2",
      user: { first_name: "Dana" },
    });
  });

  it("survives a race without locks: the second use is rejected and the winner's tokens are used", async () => {
    const storage = memoryStorage();
    signedIn("admin", storage);
    const { post, used } = server();
    const none: Locks = { request: (_name, work) => work() };
    const tabs = [1, 2].map(() =>
      tokenRefresh({ session: sessionStore(storage), locks: none, post }),
    );
    const tokens = await Promise.all(tabs.map((refresh) => refresh("token-1")));
    expect(used).toEqual(["refresh-1", "refresh-1"]);
    expect(tokens).toEqual([{ token: "token-2" }, { token: "token-2" }]);
    expect(sessionStore(storage).read()?.token).toBe("token-2");
  });

  it("uses the tokens that another tab stored, without a call", async () => {
    const session = signedIn();
    session.renew({ token: "token-9", refreshToken: "refresh-9" });
    const { post, used } = server();
    expect(await tokenRefresh({ session, locks: pageLocks(), post })("token-1")).toEqual({
      token: "token-9",
    });
    expect(used).toEqual([]);
  });

  it("continues with the tokens of another tab that is changing the password", async () => {
    const session = signedIn();
    const { post } = server(401);
    const refreshed = tokenRefresh({ session, locks: pageLocks(), post })("token-1");
    // The server has answered the other tab, which stores its tokens a moment later.
    setTimeout(() => session.renew({ token: "token-5", refreshToken: "refresh-5" }), 100);
    expect(await refreshed).toEqual({ token: "token-5" });
    expect(session.read()?.refreshToken).toBe("refresh-5");
  });

  it("leaves a session alone that is signed out while it waits", async () => {
    const session = signedIn();
    const { post } = server(401);
    const refreshed = tokenRefresh({ session, locks: pageLocks(), post })("token-1");
    setTimeout(() => session.clear(), 100);
    expect(await refreshed).toEqual({ over: true });
    expect(session.endedBy()).not.toBe("ended");
  });

  it.each([400, 401, 403])("ends the session if the server refuses with %i", async (status) => {
    const session = signedIn();
    const { post } = server(status);
    const refresh = tokenRefresh({ session, locks: pageLocks(), post });
    expect(await refresh("token-1")).toEqual({ over: true });
    expect(session.read()).toBeNull();
    expect(session.endedBy()).toBe("ended");
  });

  it("keeps the session if the response is inconclusive", async () => {
    const session = signedIn();
    const { post } = server(503);
    const refreshed = await tokenRefresh({ session, locks: pageLocks(), post })("token-1");
    expect(refreshed).toMatchObject({ unknown: { status: 503 } });
    expect(session.read()?.refreshToken).toBe("refresh-1");
  });

  it("recovers after a failed refresh", async () => {
    const session = signedIn();
    const { post } = server();
    let fails = true;
    const refresh = tokenRefresh({
      session,
      locks: pageLocks(),
      post: (token) => (fails ? Promise.reject(new Error("offline")) : post(token)),
    });
    await expect(refresh("token-1")).rejects.toThrow("offline");
    fails = false;
    expect(await refresh("token-1")).toEqual({ token: "token-2" });
  });

  it("stays signed out if the session is cleared before the response arrives", async () => {
    const session = signedIn();
    const { post } = server();
    const refresh = tokenRefresh({
      session,
      locks: pageLocks(),
      async post(token) {
        session.clear();
        return post(token);
      },
    });
    expect(await refresh("token-1")).toEqual({ over: true });
    expect(session.read()).toBeNull();
    expect(session.endedBy()).toBe("signed_out");
  });
});
