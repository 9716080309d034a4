import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import {
  answer,
  type Behaviour,
  cut,
  keyed,
  open,
  openBoth,
  post,
  refused,
  type Seen,
  statesOf,
  unavailable,
  upstream,
} from "./testing/gateway.fixture.ts";

describe("the gateway, while processes fail", () => {
  it("skips a process that refuses the connection, for reads and writes alike", async () => {
    const seen: Seen[] = [];
    const alive = await upstream("alive", seen, answer);
    const { url: gateway, operators } = await openBoth({
      commandApi: [await refused(), alive],
      queryApi: [await refused(), alive],
    });
    expect((await post(`${gateway}/prod/x`)).status).toBe(200);
    expect((await fetch(`${gateway}/prod/x`)).status).toBe(200);
    expect(seen.map(({ method, body }) => [method, body])).toEqual([
      ["POST", '{"a": 1}'],
      ["GET", ""],
    ]);
    expect(await statesOf(operators, "command-api")).toEqual([false, true]);
  });

  it.each([
    ["a read", "GET", {}, 200, ["one", "two"]],
    ["a command with an Idempotency-Key", "POST", keyed, 200, ["one", "two"]],
    ["a command without one", "POST", {}, 503, ["one"]],
    ["a sign-in with an Idempotency-Key", "LOGIN", keyed, 503, ["one"]],
    ["a command that looks like a read", "EMERGENCY", {}, 503, ["one"]],
  ] as const)(
    "sends %s that was cut off once more, whole, or not at all",
    async (_what, kind, headers, status, places) => {
      const seen: Seen[] = [];
      const both = [await upstream("one", seen, cut), await upstream("two", seen, answer)];
      const gateway = await open({ commandApi: both, queryApi: both });
      const path = {
        GET: "reports/all",
        POST: "reports/submit",
        LOGIN: "auth/login",
        EMERGENCY: "reports/all?emergency_delete=true",
      }[kind];
      const url = `${gateway}/prod/api/${path}`;
      const isPost = kind === "POST" || kind === "LOGIN";
      const found = isPost ? await post(url, headers) : await fetch(url, { headers });
      expect(found.status).toBe(status);
      if (status === 503) {
        expect(await found.json()).toMatchObject({
          success: false,
          error: { code: "unavailable" },
        });
        expect(found.headers.get("retry-after")).toBe("2");
      } else expect(await found.text()).toBe("whole");
      expect(seen.map(({ at }) => at)).toEqual(places);
      if (isPost) for (const { body } of seen) expect(body).toBe('{"a": 1}');
    },
  );

  it("does not send a request that two processes dropped to a third", async () => {
    const seen: Seen[] = [];
    const names = ["one", "two", "three"];
    const all = await Promise.all(names.map((name) => upstream(name, seen, cut)));
    const { url, operators } = await openBoth({ commandApi: all });
    expect((await post(`${url}/prod/api/reports/submit`, keyed)).status).toBe(503);
    expect(seen.map(({ at }) => at)).toEqual(["one", "two"]);
    expect(await statesOf(operators, "command-api")).toEqual([false, false, true]);
  });

  it("asks another process when one is shutting down, and discards the first one's answer", async () => {
    const seen: Seen[] = [];
    const both = [await upstream("one", seen, unavailable), await upstream("two", seen, answer)];
    const gateway = await open({ commandApi: both, queryApi: both });
    const read = await fetch(`${gateway}/prod/x`);
    expect([read.status, read.headers.get("retry-after"), await read.text()]).toEqual([
      200,
      null,
      "whole",
    ]);
    expect((await post(`${gateway}/prod/api/reports/submit`, keyed)).status).toBe(200);
    expect(seen).toHaveLength(4);
    const single = await open({ queryApi: [await upstream("three", seen, unavailable)] });
    const last = await fetch(`${single}/prod/x`);
    expect([last.status, last.headers.get("retry-after")]).toEqual([503, "5"]);
  });

  it("does not retry once an answer has begun", async () => {
    const seen: Seen[] = [];
    const begin: Behaviour = (request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => request.socket.destroy());
    };
    const gateway = await open({
      queryApi: [await upstream("one", seen, begin), await upstream("two", seen, answer)],
    });
    await expect(fetch(`${gateway}/prod/x`).then((found) => found.text())).rejects.toThrow();
    expect(seen.map(({ at }) => at)).toEqual(["one"]);
  });

  it("asks another process when one accepts a read and never answers", async () => {
    const seen: Seen[] = [];
    const gateway = await open(
      { queryApi: [await upstream("frozen", seen, () => {}), await upstream("two", seen, answer)] },
      { answerLimitMs: 10_000 },
    );
    expect(await (await fetch(`${gateway}/prod/x`)).text()).toBe("whole");
    expect(seen.map(({ at }) => at)).toEqual(["frozen", "two"]);
  });

  it.each([
    ["a read", "GET", {}, ["one", "two"]],
    ["a command with an Idempotency-Key", "POST", keyed, ["one", "two"]],
    ["a command without one", "POST", {}, ["one"]],
  ] as const)(
    "gives %s up after one limit, however many processes never answer",
    async (_what, method, headers, places) => {
      const seen: Seen[] = [];
      const frozen = [await upstream("one", seen, () => {}), await upstream("two", seen, () => {})];
      const { url, operators } = await openBoth(
        { commandApi: frozen, queryApi: frozen },
        // Silence alone must not end a connection in this test.
        { answerLimitMs: 2000, silenceLimitMs: 3_600_000 },
      );
      const found = await (method === "POST"
        ? post(`${url}/prod/api/reports/submit`, headers)
        : fetch(`${url}/prod/x`));
      expect([found.status, found.headers.get("retry-after")]).toEqual([503, "2"]);
      expect(await found.json()).toMatchObject({ success: false, error: { code: "unavailable" } });
      expect(seen.map(({ at }) => at)).toEqual(places);
      const states = await statesOf(operators, method === "POST" ? "command-api" : "query-api");
      expect(states.filter((isWell) => !isWell)).toHaveLength(places.length);
    },
  );

  it("drops an answer that comes after its request timed out", async () => {
    const seen: Seen[] = [];
    const late: ServerResponse[] = [];
    const hold: Behaviour = (_request, response) => void late.push(response);
    const gateway = await open(
      { queryApi: [await upstream("slow", seen, hold)] },
      { answerLimitMs: 500, silenceLimitMs: 3_600_000 },
    );
    expect((await fetch(`${gateway}/prod/x`)).status).toBe(503);
    const closed = once(late[0] as ServerResponse, "close");
    late[0]?.end("too late");
    await closed;
    expect((await fetch(`${gateway}/healthz`)).status).toBe(200);
  });
});
