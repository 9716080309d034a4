import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import {
  answer,
  type Behaviour,
  host,
  open,
  openBoth,
  post,
  refused,
  type Seen,
  statesOf,
  upstream,
} from "./testing/gateway.fixture.ts";

describe("the gateway", () => {
  it("sends each request to a process of the service that answers it, in turn", async () => {
    const seen: Seen[] = [];
    const gateway = await open({
      commandApi: [await upstream("command", seen, answer)],
      queryApi: [await upstream("query 1", seen, answer), await upstream("query 2", seen, answer)],
      web: [await upstream("web", seen, answer)],
    });
    const targets = [
      "/prod/api/reports/recent?limit=5&q=a%20b",
      "/prod/api/reports/recent?limit=5&q=a%20b",
      "/prod/api/reports/all?emergency_approve=true&report_id=1",
      "/admin/reports/1",
      "/",
      "/report/quinn-ames?a=b",
    ];
    for (const url of targets) expect((await fetch(gateway + url)).status).toBe(200);
    expect((await post(`${gateway}/prod/api/reports/submit`)).status).toBe(200);
    expect(seen.map(({ at, method, url }) => [at, method, url])).toEqual([
      ["query 1", "GET", targets[0]],
      ["query 2", "GET", targets[1]],
      ["command", "GET", targets[2]],
      ["web", "GET", targets[3]],
      ["web", "GET", targets[4]],
      ["web", "GET", targets[5]],
      ["command", "POST", "/prod/api/reports/submit"],
    ]);
  });

  it("passes bodies, types, answers and headers on unchanged", async () => {
    const seen: Seen[] = [];
    const commandApi = await upstream("command", seen, (_request, response) => {
      response.writeHead(418, { "x-position": "7", "content-type": "text/teapot" }).end("short");
    });
    const gateway = await open({ commandApi: [commandApi] });
    for (const [type, body] of [
      ["application/json", '{ "spaces" :  "kept" , "é": 1}'],
      ["text/plain; charset=utf-8", "words"],
      ["application/json", "{ broken"],
    ] as const) {
      const found = await post(`${gateway}/prod/x`, { "content-type": type }, body);
      expect([found.status, found.headers.get("x-position"), await found.text()]).toEqual([
        418,
        "7",
        "short",
      ]);
      expect(seen.at(-1)).toMatchObject({ body, headers: { "content-type": type } });
    }
    const empty = await post(`${gateway}/prod/x`, {}, "");
    expect([empty.status, seen.at(-1)?.body]).toEqual([418, ""]);
    const nothing = await fetch(`${gateway}/prod/x`, { method: "DELETE" });
    expect([nothing.status, seen.at(-1)?.body]).toEqual([418, ""]);
    expect((await post(`${gateway}/prod/x`, {}, "x".repeat(256 * 1024 + 1))).status).toBe(413);
  });

  it("passes a stream of events on as it comes, and ends it with its reader", async () => {
    const closed = Promise.withResolvers<void>();
    let send: (text: string) => void = () => undefined;
    const queryApi = await upstream("query", [], (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      send = (text) => response.write(text);
      response.once("close", closed.resolve);
      send("data: 1\n\n");
    });
    const gateway = await open({ queryApi: [queryApi] });
    const reading = new AbortController();
    const headers = { accept: "text/event-stream" };
    const reply = await fetch(`${gateway}/prod/api/admin/changes`, {
      headers,
      signal: reading.signal,
    });
    const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe("data: 1\n\n");
    send("data: 2\n\n");
    expect((await reader?.read())?.value).toBe("data: 2\n\n");
    reading.abort();
    await closed.promise;
  });

  it("shows its status to everybody, and the processes behind it to operators", async () => {
    const metrics: Behaviour = (request, response) =>
      void response.end(/metrics|readyz/.test(request.url ?? "") ? "internal" : "page");
    const process = await upstream("any", [], metrics);
    const all = { commandApi: [process], queryApi: [process], web: [process] };
    const { url, operators } = await openBoth(all);
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: "ok" });
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: "ready" });
    const figures = await fetch(`${url}/metrics`);
    expect(figures.status).toBe(404);
    expect(await figures.json()).toMatchObject({ success: false, error: { code: "not_found" } });
    expect(await (await fetch(`${operators}/readyz`)).json()).toMatchObject({
      services: { web: { checks: { [process]: { ok: true } } } },
    });
    expect(await (await fetch(`${operators}/metrics`)).text()).toMatch(
      /http_request_duration_seconds_count\{[^}]*route="operations"[^}]*status="404"/,
    );
    expect((await fetch(`${operators}/prod/api/samples`)).status).toBe(404);
  });

  it("refuses what it cannot forward, and does not count that as a failure of the processes", async () => {
    const seen: Seen[] = [];
    const queryApi = await upstream("query", seen, (_request, response) => {
      response.writeHead(200, { "keep-alive": "timeout=65" }).end("whole");
    });
    const { url: gateway, operators } = await openBoth({
      queryApi: [queryApi],
      web: [await upstream("web", seen, answer)],
    });
    const { hostname, port } = new URL(gateway);
    const ask = async (method: string, path: string, headers = {}) => {
      const request = http.request({ hostname, port, method, path, headers, agent: false }).end();
      const [found] = (await once(request, "response")) as [IncomingMessage];
      return { status: found.statusCode, body: await text(found), headers: found.headers };
    };
    for (const path of [
      "/prod/..;/x",
      "/prod\\..\\metrics",
      "/x/..\\metrics",
      "/prod/%2e%2e/metrics",
      "//x",
      "http://h/prod/api/samples",
    ]) {
      const { status, body } = await ask("GET", path);
      expect([path, status, JSON.parse(body).error.code]).toEqual([path, 400, "invalid_url"]);
    }
    const odd = await ask("PROPFIND", "/prod/api/samples");
    expect([odd.status, JSON.parse(odd.body).success]).toEqual([405, false]);
    const expecting = await ask("GET", "/prod/api/samples", { expect: "100-continue" });
    expect([expecting.status, expecting.body]).toEqual([200, "whole"]);
    expect(expecting.headers["keep-alive"]).not.toBe("timeout=65");
    expect(seen.map(({ at }) => at)).toEqual(["query"]);
    for (const name of ["keep-alive", "upgrade", "te", "proxy-connection"]) {
      const found = await ask("GET", "/prod/api/samples", { [name]: "x" });
      expect([name, found.status, found.body]).toEqual([name, 200, "whole"]);
    }
    for (const name of ["keep-alive", "upgrade"])
      for (const { headers } of seen) expect(headers).not.toHaveProperty(name);
    expect(await statesOf(operators, "query-api")).toEqual([true]);
  });

  it("says so when no process is available", async () => {
    const gateway = await open({});
    for (const url of ["/prod/api/reports/recent", "/", "/admin"])
      expect((await fetch(gateway + url)).status, url).toBe(503);
    expect((await fetch(`${gateway}/healthz`)).status).toBe(200);
    expect((await fetch(`${gateway}/readyz`)).status).toBe(503);
  });

  it("refuses an oversized body by its announced length, before it is sent, and asks for any other", async () => {
    const seen: Seen[] = [];
    const gateway = new URL(await open({ commandApi: [await upstream("one", seen, answer)] }));
    const ask = async (length: number, body: string) => {
      const request = http.request({
        hostname: gateway.hostname,
        port: gateway.port,
        method: "POST",
        path: "/prod/x",
        headers: { "content-length": length, expect: "100-continue" },
        agent: false,
      });
      let invited = false;
      request.once("continue", () => {
        invited = true;
        request.end(body);
      });
      request.flushHeaders();
      const [found] = (await once(request, "response")) as [IncomingMessage];
      await text(found);
      request.destroy();
      return [found.statusCode, invited];
    };
    expect(await ask(256 * 1024 + 1, "")).toEqual([413, false]);
    expect(await ask(4, "body")).toEqual([200, true]);
    expect(seen.map(({ body }) => body)).toEqual(["body"]);
  });

  it("passes only the client address that it trusts to the services", async () => {
    const seen: Seen[] = [];
    const queryApi = [await upstream("query", seen, answer)];
    const claimed = { "x-forwarded-for": "198.51.100.9, 203.0.113.7", forwarded: "for=1.2.3.4" };
    for (const [trustProxyHops, address] of [
      [0, host],
      [1, "203.0.113.7"],
      [2, "198.51.100.9"],
    ] as const) {
      const gateway = await open({ queryApi, trustProxyHops });
      await fetch(`${gateway}/prod/x`, { headers: claimed });
      expect(seen.at(-1)?.headers["x-forwarded-for"]).toBe(address);
      expect(seen.at(-1)?.headers).not.toHaveProperty("forwarded");
    }
  });

  it("shows one description of both APIs once they are up", async () => {
    const describe = (path: string, method: string): Behaviour => {
      return (_request, response) =>
        void response
          .setHeader("content-type", "application/json")
          .end(JSON.stringify({ openapi: "3.1.0", paths: { [path]: { [method]: {} } } }));
    };
    const gateway = await open({
      queryApi: [await refused(), await upstream("query", [], describe("/prod/a", "get"))],
      commandApi: [await upstream("command", [], describe("/prod/a", "post"))],
    });
    expect((await fetch(`${gateway}/docs/`)).status).toBe(200);
    const found = await (await fetch(`${gateway}/docs/json`)).json();
    expect(found).toMatchObject({ paths: { "/prod/a": { get: {}, post: {} } } });
  });
});
