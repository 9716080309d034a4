import { beforeEach, describe, expect, it } from "vitest";
import { noHaproxy, openHaproxy } from "./testing/haproxy.fixture.ts";
import {
  answer,
  type Behavior,
  cut,
  frozen,
  keyed,
  post,
  refused,
  type Seen,
  unavailable,
  upstream,
} from "./testing/upstream.fixture.ts";

const SUBMIT = "/prod/api/reports/submit";
const SOON = {
  "timeout server 7500ms": "timeout server 500ms",
  "timeout server 20s": "timeout server 1s",
};
/** Makes each process get one request before either gets a second. */
const IN_TURN = { "balance leastconn": "balance roundrobin" };

describe("HAProxy, while processes fail", () => {
  beforeEach((context) => {
    if (noHaproxy) context.skip(noHaproxy);
  });

  it("skips a process that refuses the connection, for reads, commands and files alike", async () => {
    const seen: Seen[] = [];
    const alive = await upstream("alive", seen, answer);
    const both = [await refused(), alive];
    const behind = { commandApi: both, queryApi: both, web: both };
    const { url } = await openHaproxy(behind, { instead: IN_TURN });
    for (let i = 0; i < 4; i += 1) {
      expect((await post(`${url}/prod/api/auth/login`)).status).toBe(200);
      expect((await post(`${url}/prod/api/uploads`, {}, "bytes")).status).toBe(200);
      expect((await fetch(`${url}/prod/x`)).status).toBe(200);
      expect((await fetch(`${url}/`)).status).toBe(200);
    }
    expect(seen).toHaveLength(16);
  });

  it.each([
    ["a read", "GET", "/prod/api/reports/all", {}, cut, 200, 2],
    ["a page", "GET", "/", {}, cut, 200, 2],
    ["a read", "GET", "/prod/api/reports/all", {}, unavailable, 200, 2],
    ["a read by POST", "POST", "/prod/api/report-status", {}, unavailable, 200, 2],
    ["a command with a key", "POST", SUBMIT, keyed, unavailable, 200, 2],
    ["a command without one", "POST", SUBMIT, {}, unavailable, 503, 1],
    ["a sign-in with a key", "POST", "/prod/api/auth/login", keyed, unavailable, 503, 1],
    [
      "a command that looks like a read",
      "GET",
      "/prod/api/reports/all?emergency_delete=true",
      {},
      unavailable,
      503,
      1,
    ],
    [
      "such a command with a key",
      "GET",
      "/prod/api/reports/all?emergency_delete=true",
      keyed,
      unavailable,
      200,
      2,
    ],
    // It may have been executed.
    ["a command with a key", "POST", SUBMIT, keyed, cut, 503, 1],
    ["a file", "POST", "/prod/api/uploads", {}, unavailable, 503, 1],
  ] as const)(
    "%s (%s %s) is retried on another process or not at all",
    async (_what, method, path, headers, broken, status, places) => {
      const seen: Seen[] = [];
      const both = [await upstream("one", seen, broken), await upstream("two", seen, answer)];
      const behind = { commandApi: both, queryApi: both, web: both };
      const { url } = await openHaproxy(behind, { instead: IN_TURN });
      const found =
        method === "POST" ? await post(url + path, headers) : await fetch(url + path, { headers });
      expect([found.status, seen.map(({ at }) => at)]).toEqual([
        status,
        ["one", "two"].slice(0, places),
      ]);
      const isPost = method === "POST";
      for (const { at, headers: sent, body } of seen)
        expect([at, sent["content-length"], body]).toEqual(
          isPost ? [at, "8", '{"a": 1}'] : [at, undefined, ""],
        );
      if (status === 200) expect(await found.text()).toBe("whole");
      else if (broken === cut) {
        expect(await found.json()).toMatchObject({
          success: false,
          error: { code: "unavailable" },
        });
        expect(found.headers.get("retry-after")).toBe("2");
      }
    },
  );

  it("uses processes that are not ready if none is", async () => {
    const seen: Seen[] = [];
    const one = [await upstream("unready", seen, answer, false)];
    const { url } = await openHaproxy({ commandApi: one, queryApi: one, web: one });
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(503);
    for (const path of ["/prod/x", "/prod/api/admin/changes", "/", "/docs"])
      expect((await fetch(url + path)).status, path).toBe(200);
    for (const path of ["/prod/api/auth/login", "/prod/api/uploads", "/report"])
      expect((await post(url + path)).status, path).toBe(200);
    const emergency = "/prod/api/reports/all?emergency_delete=true";
    expect((await fetch(url + emergency)).status).toBe(200);
    expect(seen).toHaveLength(8);
  });

  it("uses no process that is not ready if another one is", async () => {
    const seen: Seen[] = [];
    const both = [
      await upstream("unready", seen, answer, false),
      await upstream("ready", seen, answer),
    ];
    const { url, operators } = await openHaproxy({ queryApi: both });
    await expect
      .poll(async () => (await fetch(`${operators}/metrics`)).text())
      .toMatch(/haproxy_server_status\{proxy="query-api",server="query-api1",state="DOWN"\} 1/);
    for (let i = 0; i < 4; i += 1) expect((await fetch(`${url}/prod/x`)).status).toBe(200);
    expect(seen.map(({ at }) => at)).toEqual(Array(4).fill("ready"));
  });

  it("does not retry on a third process after two have dropped the request", async () => {
    const seen: Seen[] = [];
    const names = ["one", "two", "three"];
    const all = await Promise.all(names.map((name) => upstream(name, seen, cut)));
    const { url } = await openHaproxy({ queryApi: all }, { instead: IN_TURN });
    expect((await fetch(`${url}/prod/x`)).status).toBe(503);
    expect(seen.map(({ at }) => at)).toEqual(["one", "two"]);
  });

  it("does not retry anything larger than a buffer", async () => {
    const seen: Seen[] = [];
    const both = [await upstream("one", seen, unavailable), await upstream("two", seen, answer)];
    const { url } = await openHaproxy({ commandApi: both }, { instead: IN_TURN });
    const found = await post(url + SUBMIT, keyed, `"${"x".repeat(100_000)}"`);
    expect([found.status, seen.map(({ at }) => at)]).toEqual([503, ["one"]]);
  });

  it("does not retry once a response has begun", async () => {
    const seen: Seen[] = [];
    const begin: Behavior = (request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => request.socket.destroy());
    };
    const queryApi = [await upstream("one", seen, begin), await upstream("two", seen, answer)];
    const { url } = await openHaproxy({ queryApi }, { instead: IN_TURN });
    await expect(fetch(`${url}/prod/x`).then((found) => found.text())).rejects.toThrow();
    expect(seen.map(({ at }) => at)).toEqual(["one"]);
  });

  it.each([
    ["a read", "GET", {}, 200, ["one", "two"]],
    ["a command with a key", "POST", keyed, 503, ["one"]],
  ] as const)(
    "gives up on a process that accepts %s and never answers",
    async (_what, method, headers, status, places) => {
      const seen: Seen[] = [];
      const both = [await upstream("one", seen, frozen), await upstream("two", seen, answer)];
      const behind = { commandApi: both, queryApi: both };
      const { url } = await openHaproxy(behind, { instead: { ...IN_TURN, ...SOON } });
      const found =
        method === "POST" ? await post(url + SUBMIT, headers) : await fetch(`${url}/prod/x`);
      expect([found.status, seen.map(({ at }) => at)]).toEqual([status, places]);
    },
  );
});
