import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { freePort } from "#local-servers/postgres/server.ts";
import { createLogger } from "#runtime/log.ts";
import { composeGateway, type Gateway, type GatewayOptions } from "./gateway.ts";

const host = "127.0.0.1";
const silent = createLogger({
  name: "test",
  destination: new Writable({ write: (_chunk, _encoding, done) => done() }),
});

interface Seen {
  readonly at: string;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

let closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  closing = [];
});

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

/** A process of a service, which notes what arrives. Its `/readyz` is the tests' own affair. */
async function upstream(name: string, seen: Seen[], behave: Behaviour): Promise<string> {
  const server = http.createServer(async (request, response) => {
    if (request.url === "/readyz") return response.end("{}");
    const { method = "", url = "", headers } = request;
    const body = await text(request).catch(() => "(cut)");
    seen.push({ at: name, method, url, headers, body });
    behave(request, response);
  });
  server.listen(0, host);
  await once(server, "listening");
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

const answer: Behaviour = (request, response) => {
  response.setHeader("x-request-id", String(request.headers["x-request-id"] ?? ""));
  response.end("whole");
};
/** The process dies while it works on the request. */
const cut: Behaviour = (request) => request.socket.destroy();
const unavailable: Behaviour = (_request, response) => {
  response.writeHead(503, { "retry-after": "5", connection: "close" }).end('{"success":false}');
};
const refused = async () => `http://${host}:${await freePort()}`;

interface Setting {
  readonly commandApi?: readonly string[];
  readonly queryApi?: readonly string[];
  readonly web?: readonly string[];
  readonly trustProxyHops?: number;
}

type Limits = Pick<GatewayOptions, "answerLimitMs" | "silenceLimitMs">;

/** The gateway, looking at its upstreams once at the start, if then. */
async function openBoth(setting: Setting, limits: Limits = {}) {
  const nobody = [await refused()];
  const gateway: Gateway = await composeGateway(
    {
      version: "test",
      host,
      port: 0,
      logLevel: "silent",
      startedByNpm: false,
      commandApi: setting.commandApi ?? nobody,
      queryApi: setting.queryApi ?? nobody,
      web: setting.web ?? nobody,
      trustProxyHops: setting.trustProxyHops ?? 0,
      operationsPort: 0,
    },
    silent,
    {
      // Nothing is known of an upstream but what its connections tell.
      upstreams: {
        probeMs: 3_600_000,
        suspendMs: 3_600_000,
        fetch: async () => new Response("{}"),
      },
      ...limits,
    },
  );
  const { port, operationsPort } = await gateway.listen({ host, port: 0 });
  closing.push(() => gateway.stop());
  return { url: `http://${host}:${port}`, operators: `http://${host}:${operationsPort}` };
}

const open = async (setting: Setting, limits?: Limits) => (await openBoth(setting, limits)).url;

/** Whether each process of a service is well, as operators see it. */
async function statesOf(operators: string, service: string): Promise<boolean[]> {
  const { services } = (await (await fetch(`${operators}/readyz`)).json()) as {
    services: Record<string, { checks: Record<string, { ok: boolean }> }>;
  };
  return Object.values(services[service]?.checks ?? {}).map(({ ok }) => ok);
}

const post = (url: string, headers: Record<string, string> = {}, body = '{"a": 1}') =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
const keyed = { "idempotency-key": "0123456789abcdef" };

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

  it("passes bodies, types, answers and headers on as they are", async () => {
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

  it("hands a request that cut off two processes to no third", async () => {
    const seen: Seen[] = [];
    const names = ["one", "two", "three"];
    const all = await Promise.all(names.map((name) => upstream(name, seen, cut)));
    const { url, operators } = await openBoth({ commandApi: all });
    expect((await post(`${url}/prod/api/reports/submit`, keyed)).status).toBe(503);
    expect(seen.map(({ at }) => at)).toEqual(["one", "two"]);
    expect(await statesOf(operators, "command-api")).toEqual([false, false, true]);
  });

  it("asks another process when one is just ending, and keeps nothing of its answer", async () => {
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

  it("tries nothing again once an answer has begun", async () => {
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

  it("goes on to another process when one takes a read and never answers", async () => {
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
        // Silence alone ends nothing here.
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

  it("drops an answer that comes after its request was given up", async () => {
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

  it("tells strangers its status, and operators the processes behind it", async () => {
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

  it("refuses what it cannot pass on, and holds nothing of it against the processes", async () => {
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

  it("says so when nobody is there", async () => {
    const gateway = await open({});
    for (const url of ["/prod/api/reports/recent", "/", "/admin"])
      expect((await fetch(gateway + url)).status, url).toBe(503);
    expect((await fetch(`${gateway}/healthz`)).status).toBe(200);
    expect((await fetch(`${gateway}/readyz`)).status).toBe(503);
  });

  it("refuses a body that is announced too long before it is sent, and invites any other", async () => {
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

  it("tells services the one address that it believes", async () => {
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

  it("shows one description of both APIs, once they are there", async () => {
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
