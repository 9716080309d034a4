import { describe, expect, it, vi } from "vitest";
import { pageLocks, sessionFetch } from "./session-fetch.ts";
import { sessionStore } from "./session-store.ts";
import { memoryStorage, signedIn } from "./testing/sessions.ts";

const REFRESH = "/prod/api/auth/refresh";
const tokens = { token: "token-2", refreshToken: "refresh-2" };

/** A server that accepts one token, with its response to a refresh. */
function server(renewal: () => Response | Promise<Response>) {
  const sent: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const token = new Headers(init?.headers).get("authorization");
    sent.push(`${input} ${token}`);
    init?.signal?.throwIfAborted();
    if (input === REFRESH) {
      const response = await renewal();
      init?.signal?.throwIfAborted();
      return response;
    }
    return new Response(String(init?.body), { status: token === "Bearer token-2" ? 200 : 401 });
  };
  return { fetch, sent };
}

describe("a call by the session's account", () => {
  it("is retried with refreshed tokens, body included", async () => {
    const session = signedIn();
    const { fetch, sent } = server(() => Response.json({ success: true, data: tokens }));
    const call = sessionFetch({ fetch, session, locks: pageLocks() });
    const answer = await call("/a", { method: "POST", body: "text" });
    expect([answer.status, await answer.text()]).toEqual([200, "text"]);
    expect(sent).toEqual(["/a Bearer token-1", `${REFRESH} null`, "/a Bearer token-2"]);
  });

  it("fails once the session has ended, and clears it", async () => {
    const session = signedIn();
    const { fetch } = server(() => new Response(null, { status: 401 }));
    const answer = await sessionFetch({ fetch, session, locks: pageLocks() })("/a");
    expect(answer.status).toBe(401);
    expect([session.read(), session.endedBy()]).toEqual([null, "ended"]);
  });

  it("gets the refresh's own response if that is inconclusive, and keeps the session", async () => {
    const session = signedIn();
    const { fetch, sent } = server(() => new Response("busy", { status: 503 }));
    const answer = await sessionFetch({ fetch, session, locks: pageLocks() })("/a");
    expect([answer.status, await answer.text()]).toEqual([503, "busy"]);
    expect(session.read()?.token).toBe("token-1");
    expect(sent).toHaveLength(2);
  });

  it("fails if the refresh returns a proxy's page, and keeps the session", async () => {
    const session = signedIn();
    const { fetch, sent } = server(() => new Response("<h1>Welcome to this network</h1>"));
    const call = sessionFetch({ fetch, session, locks: pageLocks() });
    await expect(call("/a", { method: "POST", body: "text" })).rejects.toThrow(
      "contains no tokens",
    );
    expect(session.read()?.token).toBe("token-1");
    expect(sent).toHaveLength(2);
  });

  it("still stores the new tokens if its caller aborts during the refresh", async () => {
    const session = signedIn();
    const gone = new AbortController();
    const { fetch, sent } = server(() => {
      gone.abort();
      return Response.json({ success: true, data: tokens });
    });
    const call = sessionFetch({ fetch, session, locks: pageLocks() });
    await expect(call("/a", { signal: gone.signal })).rejects.toThrow("aborted");
    expect(session.read()).toMatchObject(tokens);
    expect((await call("/a")).status).toBe(200);
    expect(sent.filter((request) => request.startsWith(REFRESH))).toHaveLength(1);
  });

  it("has separate time limits for the call, the refresh and the retry", async () => {
    const limits: AbortController[] = [];
    const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
      const limit = new AbortController();
      limits.push(limit);
      return limit.signal;
    });
    const { fetch } = server(() => {
      limits[0]?.abort();
      return Response.json({ success: true, data: tokens });
    });
    const call = sessionFetch({ fetch, session: signedIn(), locks: pageLocks(), timeoutMs: 7 });
    expect((await call("/a")).status).toBe(200);
    expect(timeout.mock.calls).toEqual([[7], [7], [7]]);
    timeout.mockRestore();
  });

  it("fails if the refresh times out, and keeps the session", async () => {
    const session = signedIn();
    const { fetch: usual } = server(() => Response.error());
    const fetch: typeof globalThis.fetch = (input, init) =>
      input === REFRESH
        ? new Promise((_resolve, reject) => {
            init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
          })
        : usual(input, init);
    const call = sessionFetch({ fetch, session, locks: pageLocks(), timeoutMs: 5 });
    await expect(call("/a")).rejects.toMatchObject({ name: "TimeoutError" });
    expect(session.read()?.token).toBe("token-1");
  });

  it("is sent without a token if there is no session", async () => {
    const { fetch, sent } = server(() => new Response());
    const session = sessionStore(memoryStorage());
    expect((await sessionFetch({ fetch, session, locks: pageLocks() })("/a")).status).toBe(401);
    expect(sent).toEqual(["/a null"]);
  });
});
