import { describe, expect, it, vi } from "vitest";
import { pageLocks } from "#session-client/session-fetch.ts";
import { signedIn } from "#session-client/testing/sessions.ts";
import { type FakeRoute, fakeFetch } from "../../testing/fake-fetch.ts";
import { apiClient } from "./api-client.ts";

const REFRESH = "POST /prod/api/auth/refresh";
const renewed = {
  body: { success: true, data: { token: "token-2", refreshToken: "refresh-2" } },
};
const refused = {
  status: 401,
  body: { success: false, error: { code: "invalid_token", message: "Over" } },
};

function client(routes: Record<string, FakeRoute>, session = signedIn()) {
  const fake = fakeFetch(routes);
  const stale: [string, boolean][] = [];
  let keys = 0;
  return {
    ...fake,
    session,
    stale,
    ...apiClient({
      fetch: fake.fetch,
      session,
      locks: pageLocks(),
      onStale: (path, isStale) => stale.push([path, isStale]),
      newKey: () => `key-${++keys}`,
    }),
  };
}

describe("the console's client", () => {
  it("sends the session's token", async () => {
    const { request, sent } = client({ "GET /a": { body: 1 } });
    expect((await request("/a?x=1")).json).toBe(1);
    expect(sent[0]?.headers.get("authorization")).toBe("Bearer token-1");
    expect(sent[0]?.url).toBe("/a?x=1");
  });

  it("requests reads at least as fresh as the last command", async () => {
    const { request, command, sent, session } = client({
      "POST /do": { headers: { "x-position": "e.7" }, body: {} },
      "GET /a": { headers: { "x-position": "e.3" }, body: 1 },
    });
    await request("/a");
    expect(sent[0]?.headers.has("x-min-position")).toBe(false);
    await command("/do", "POST", {});
    await request("/a");
    await request("/a");
    await command("/do", "POST", {});
    expect(sent.slice(2).map(({ headers }) => headers.get("x-min-position"))).toEqual([
      "e.7",
      "e.7",
      null,
    ]);
    expect(session.position()).toBe("e.7");
  });

  it("forgets the position with the session", () => {
    const session = signedIn();
    session.setPosition("e.7");
    session.clear();
    expect(session.position()).toBeNull();
  });

  it("reports a read that is older than the last write", async () => {
    let headers: Record<string, string> = { "x-stale": "true" };
    const { request, stale } = client({ "GET /a": () => ({ headers, body: 1 }) });
    await request("/a?page=2");
    headers = {};
    await request("/a");
    expect(stale).toEqual([
      ["/a", true],
      ["/a", false],
    ]);
  });

  it("reports that a command needs a second factor, until a command succeeds", async () => {
    const needed: boolean[] = [];
    let isRefused = true;
    const error = { code: "second_factor_required", message: "Set it up" };
    const fake = fakeFetch({
      "POST /do": () => (isRefused ? { status: 403, body: { success: false, error } } : {}),
      "GET /a": { body: 1 },
    });
    const { request, command } = apiClient({
      fetch: fake.fetch,
      session: signedIn(),
      locks: pageLocks(),
      onFactorNeeded: (isNeeded) => needed.push(isNeeded),
    });
    await expect(command("/do", "POST", {})).rejects.toMatchObject({ message: "Set it up" });
    await request("/a");
    isRefused = false;
    await command("/do", "POST", {});
    expect(needed).toEqual([true, false]);
  });

  it("gives up if the renewed token is rejected too", async () => {
    const { request, sent } = client({ "GET /a": refused, [REFRESH]: renewed });
    await expect(request("/a")).rejects.toMatchObject({ status: 401, message: "Over" });
    expect(sent).toHaveLength(3);
  });

  it("gives every command its own key, and reuses it on a retry", async () => {
    let answers = 0;
    const { command, sent } = client({
      "POST /do": () => {
        answers += 1;
        if (answers === 1) throw new TypeError("Failed to fetch");
        return { body: {} };
      },
    });
    await command("/do", "POST", { a: 1 });
    await command("/do", "POST", { a: 1 });
    expect(sent.map(({ headers }) => headers.get("idempotency-key"))).toEqual([
      "key-1",
      "key-1",
      "key-2",
    ]);
    expect(sent.every(({ body }) => JSON.stringify(body) === '{"a":1}')).toBe(true);
  });

  it("keeps the key when the token is renewed", async () => {
    const { command, sent } = client({
      "POST /do": ({ headers }) =>
        headers.get("authorization") === "Bearer token-2" ? { body: {} } : refused,
      [REFRESH]: renewed,
    });
    await command("/do", "POST", {});
    expect(sent.map(({ headers }) => headers.get("idempotency-key"))).toEqual([
      "key-1",
      null,
      "key-1",
    ]);
  });

  it("does not retry a refused command", async () => {
    const { command, sent } = client({
      "POST /do": {
        status: 409,
        body: { success: false, error: { code: "status_unchanged", message: "Is so already" } },
      },
    });
    await expect(command("/do", "POST", {})).rejects.toMatchObject({
      status: 409,
      code: "status_unchanged",
      message: "Is so already",
    });
    expect(sent).toHaveLength(1);
  });

  it("reports a failed connection if there is no response", async () => {
    const { request } = client({
      "GET /a": () => {
        throw new TypeError("Failed to fetch");
      },
    });
    await expect(request("/a")).rejects.toMatchObject({
      status: 0,
      code: "network",
      message: "Connection failed",
    });
  });

  it("reports a timeout if the server takes longer than the limit", async () => {
    const timedOut = AbortSignal.abort(new DOMException("late", "TimeoutError"));
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(timedOut);
    const { request } = client({ "GET /a": { body: 1 } });
    await expect(request("/a")).rejects.toMatchObject({
      status: 0,
      message: "No answer within 30 seconds",
    });
    expect(timeout).toHaveBeenCalledWith(30_000);
    timeout.mockRestore();
  });

  it("passes on each field's problem, but only strings", async () => {
    const { request } = client({
      "GET /a": {
        status: 400,
        body: {
          success: false,
          error: { code: "invalid_request", message: "No", fields: { city: "Too long", zip: 7 } },
        },
      },
    });
    await expect(request("/a")).rejects.toMatchObject({ fields: { city: "Too long" } });
  });

  it("handles a response that is not JSON", async () => {
    const fetch = async () => new Response("<h1>Bad gateway</h1>", { status: 502 });
    const { request } = apiClient({ fetch, session: signedIn(), locks: pageLocks() });
    await expect(request("/a")).rejects.toMatchObject({ status: 502, message: "" });
  });

  it("passes on the caller's own abort", async () => {
    const { request } = client({ "GET /a": { body: 1 } });
    const signal = AbortSignal.abort();
    await expect(request("/a", { signal })).rejects.toMatchObject({ name: "AbortError" });
  });
});
