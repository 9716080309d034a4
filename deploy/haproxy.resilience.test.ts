import { spawnSync } from "node:child_process";
import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import http2 from "node:http2";
import path from "node:path";
import { text } from "node:stream/consumers";
import { beforeEach, describe, expect, it } from "vitest";
import { errorStatuses } from "#contracts/error-statuses.ts";
import { messages } from "#http/errors.ts";
import { STRICT_TRANSPORT } from "#http/strict-transport.ts";
import { childEnvironment } from "#local-servers/config.ts";
import { read } from "./testing/compose.ts";
import { noHaproxy, openHaproxy } from "./testing/haproxy.fixture.ts";
import { answer, host, post, refused, type Seen, upstream } from "./testing/upstream.fixture.ts";

/** Sends a request unchanged, where `fetch` would correct or reject it. */
async function ask(base: string, method: string, path: string, headers = {}) {
  const { hostname, port } = new URL(base);
  const request = http.request({ hostname, port, method, path, headers, agent: false }).end();
  const [found] = (await once(request, "response")) as [IncomingMessage];
  return { status: found.statusCode, body: await text(found), headers: found.headers };
}

describe("HAProxy", () => {
  beforeEach((context) => {
    if (noHaproxy) context.skip(noHaproxy);
  });

  it.each([0, 1])("starts without configuration warnings, with %i proxies in front", (proxies) => {
    const env = {
      ...childEnvironment(),
      ...{ HOST: host, PORT: "3000", OPERATIONS_PORT: "3006", TRUST_PROXY: String(proxies) },
      ...{ COMMAND_API_HOST: host, QUERY_API_HOST: host, WEB_HOST: host },
    };
    const checked = spawnSync("haproxy", ["-dW", "-c", "-f", "deploy/haproxy.cfg"], {
      cwd: path.resolve(import.meta.dirname, ".."),
      env,
      encoding: "utf8",
    });
    expect([checked.status, checked.stderr]).toEqual([0, expect.not.stringContaining("WARNING")]);
  });

  it("routes each request to a process of the responsible service", async () => {
    const seen: Seen[] = [];
    const { url } = await openHaproxy({
      commandApi: [await upstream("command", seen, answer)],
      queryApi: [await upstream("query", seen, answer)],
      web: [await upstream("web", seen, answer)],
    });
    const targets: [string, string, string][] = [
      ["GET", "/prod/api/reports/recent?limit=5&q=a%20b", "query"],
      ["GET", "/prod", "query"],
      ["GET", "/production", "web"],
      ["GET", "/prod/api/reports/all?emergency_approve=true&report_id=1", "command"],
      ["GET", "/prod/api/reports/all?a=1&emergency%5fdelete=true", "command"],
      ["GET", "/prod/api/reports/all?limit=emergency_delete", "query"],
      ["HEAD", "/prod/api/reports/all", "query"],
      ["GET", "/admin/reports/1", "web"],
      ["GET", "/docs", "web"],
      ["GET", "/", "web"],
      ["GET", "/report/quinn-ames?a=b", "web"],
      ["POST", "/verify-email/x", "web"],
      ["POST", "/prod/api/reports/submit", "command"],
      ["DELETE", "/prod/api/auth/account", "command"],
      ["POST", "/prod/api/uploads", "command"],
    ];
    for (const [method, path] of targets) expect((await ask(url, method, path)).status).toBe(200);
    expect(seen.map(({ at, method, url }) => [method, url, at])).toEqual(targets);
  });

  it("sends one HSTS header on every path, whichever service answers", async () => {
    const each = [
      await upstream("any", [], (_request, response) => {
        response.setHeader("strict-transport-security", "max-age=1; includeSubDomains");
        response.end("{}");
      }),
    ];
    const { url } = await openHaproxy({ commandApi: each, queryApi: each, web: [await refused()] });
    for (const path of [
      "/",
      "/admin",
      "/docs",
      "/prod/x",
      "/healthz",
      "/readyz",
      "/metrics",
      "/x/..",
    ])
      for (const method of ["GET", "POST"]) {
        const { headers } = await ask(url, method, path);
        const found = headers["strict-transport-security"];
        expect([method, path, found]).toEqual([method, path, "max-age=31536000"]);
      }
  });

  it("passes on bodies, types, responses and headers unchanged", async () => {
    const seen: Seen[] = [];
    const commandApi = await upstream("command", seen, (_request, response) => {
      response.writeHead(418, { "x-position": "7", "content-type": "text/teapot" }).end("short");
    });
    const { url } = await openHaproxy({ commandApi: [commandApi] });
    for (const [type, body] of [
      ["application/json", '{ "spaces" :  "kept" , "é": 1}'],
      ["text/plain; charset=utf-8", "words"],
      ["application/json", "{ broken"],
    ] as const) {
      const found = await post(`${url}/prod/x`, { "content-type": type }, body);
      expect([found.status, found.headers.get("x-position"), await found.text()]).toEqual([
        418,
        "7",
        "short",
      ]);
      expect(seen.at(-1)).toMatchObject({ body, headers: { "content-type": type } });
    }
  });

  it("rejects what it does not forward, in the contract's error format", async () => {
    const seen: Seen[] = [];
    const each = [await upstream("any", seen, answer)];
    const { url } = await openHaproxy({ commandApi: each, queryApi: each, web: each });
    for (const path of [
      "/prod/..;/x",
      "/prod\\..\\metrics",
      "/x/..\\metrics",
      "/prod/%2e%2e/metrics",
      "//x",
      `${url}/prod/api/samples`,
    ]) {
      const { status, body } = await ask(url, "GET", path);
      expect([path, status, JSON.parse(body).error.code]).toEqual([path, 400, "invalid_url"]);
    }
    // Not a request at all by RFC 9112: HAProxy rejects it before any of its rules.
    const foreign = await ask(url, "GET", "http://h/prod/api/samples");
    expect([foreign.status, foreign.headers["content-type"]]).toEqual([400, "text/html"]);
    const odd = await ask(url, "PROPFIND", "/prod/api/samples");
    expect([odd.status, JSON.parse(odd.body).error.code]).toEqual([405, "method_not_allowed"]);
    const long = { "content-length": String(1024 * 1024 + 1) };
    const large = await ask(url, "POST", "/prod/api/reports/submit", {
      ...long,
      expect: "100-continue",
    });
    expect([large.status, JSON.parse(large.body).error.code]).toEqual([413, "too_large"]);
    // Its last 32 bits are 1.
    const longest = { "content-length": String(2 ** 32 + 1) };
    const beyond = await ask(url, "POST", "/prod/api/reports/submit", longest);
    expect([beyond.status, JSON.parse(beyond.body).error.code]).toEqual([413, "too_large"]);
    expect(seen).toEqual([]);
    const file = "x".repeat(3 * 1024 * 1024);
    expect((await post(`${url}/prod/api/uploads`, {}, file)).status).toBe(200);
    expect(seen[0]?.body === file).toBe(true);
  });

  it.each([0, 1])(
    "answers 429 to too many page requests from one visitor, never for files, with %i proxies in front",
    async (trustProxy) => {
      const each = [await upstream("any", [], answer)];
      const { url } = await openHaproxy(
        { commandApi: each, queryApi: each, web: each },
        { trustProxy, instead: { "sc1_gpc0_rate gt 599": "sc1_gpc0_rate gt 2" } },
      );
      const visitor = { "x-forwarded-for": "2001:db8::1" };
      for (const path of ["/", "/admin/reports", "/report/quinn-ames/picture.png"])
        expect((await ask(url, "GET", path, visitor)).status, path).toBe(200);
      const refused = await ask(url, "GET", "/sitemap.xml", { "x-forwarded-for": "2001:db8::2" });
      expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "60"]);
      expect(refused.headers["content-type"]).toContain("text/html");
      expect(refused.body).toContain("then reload this page");
      for (const path of ["/assets/x.js", "/robots.txt", "/prod/api/reports/recent"])
        expect((await ask(url, "GET", path, visitor)).status, path).toBe(200);
      const other = await ask(url, "GET", "/", { "x-forwarded-for": "2001:db8:0:1::1" });
      expect(other.status).toBe(trustProxy === 0 ? 429 : 200);
    },
  );

  it("does not limit pages with RATE_LIMIT=off", async () => {
    const each = [await upstream("any", [], answer)];
    const { url } = await openHaproxy({ web: each }, { environment: { RATE_LIMIT: "off" } });
    for (let i = 0; i < 601; i += 1) expect((await ask(url, "GET", "/")).status).toBe(200);
  });

  it("does not speak HTTP/2 without TLS, where one connection needs the memory of a hundred", async () => {
    const { url, operators } = await openHaproxy({});
    for (const each of [url, operators]) {
      const session = http2.connect(each);
      session.on("error", () => undefined);
      const request = session.request({ ":path": "/healthz" });
      const [outcome] = await Promise.race([
        once(request, "error"),
        once(request, "response").then(([headers]) => [headers[":status"]]),
      ]);
      session.destroy();
      expect([each, outcome]).toEqual([each, expect.any(Error)]);
    }
  });

  it("lets no process wait for a slow request body", async () => {
    const seen: Seen[] = [];
    const each = [await upstream("any", seen, answer)];
    const { url } = await openHaproxy(
      { commandApi: each, web: each },
      { instead: { "timeout http-request 10s": "timeout http-request 500ms" } },
    );
    for (const path of ["/prod/api/reports/submit", "/report"]) {
      const headers = { "content-type": "application/json", "content-length": "1000" };
      const request = http.request(url + path, { method: "POST", headers, agent: false });
      request.write('{"a":');
      const [found] = (await once(request, "response")) as [IncomingMessage];
      const { error } = JSON.parse(await text(found));
      expect([path, found.statusCode, error.code]).toEqual([path, 408, "request_timeout"]);
    }
    expect(seen).toEqual([]);
  });

  it("streams a file before it is complete", async () => {
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const server = http.createServer((request, response) => {
      if (request.url === "/readyz") return response.end("{}");
      request.once("data", () => resolve());
      request.once("end", () => response.end("whole"));
      request.resume();
    });
    await new Promise<void>((listening) => server.listen(0, host, listening));
    const { port } = server.address() as { port: number };
    const { url } = await openHaproxy({ commandApi: [`http://${host}:${port}`] });
    const request = http.request(`${url}/prod/api/uploads`, { method: "POST" });
    const replied = new Promise<number | undefined>((done) =>
      request.once("response", (response) => done(response.resume().statusCode)),
    );
    request.write("the first part");
    await begun;
    request.end("the last part");
    expect(await replied).toBe(200);
    server.close();
  });

  it("streams server-sent events as they arrive, and ends with the reader", async () => {
    const closed = Promise.withResolvers<void>();
    let send: (text: string) => void = () => undefined;
    const queryApi = await upstream("query", [], (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      send = (text) => response.write(text);
      response.once("close", closed.resolve);
      send("data: 1\n\n");
    });
    const { url } = await openHaproxy({ queryApi: [queryApi] });
    const reading = new AbortController();
    const headers = { accept: "text/event-stream" };
    const reply = await fetch(`${url}/prod/api/admin/changes`, { headers, signal: reading.signal });
    const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe("data: 1\n\n");
    send("data: 2\n\n");
    expect((await reader?.read())?.value).toBe("data: 2\n\n");
    reading.abort();
    // The disconnect is noticed on the next heartbeat.
    const heartbeat = setInterval(() => send(": heartbeat\n\n"), 50);
    await closed.promise;
    clearInterval(heartbeat);
  });

  it("shows other callers only a status, and operators metrics and processes", async () => {
    const internal = [await upstream("any", [], (_request, response) => response.end("internal"))];
    const { url, operators } = await openHaproxy({
      commandApi: internal,
      queryApi: internal,
      web: internal,
    });
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: "ok" });
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: "ready" });
    const figures = await fetch(`${url}/metrics`);
    expect([figures.status, (await figures.json()).error.code]).toEqual([404, "not_found"]);
    expect(await (await fetch(`${operators}/metrics`)).text()).toMatch(
      /haproxy_server_status\{proxy="query-api",server="query-api1",state="UP"\} 1/,
    );
  });

  it("answers 503 if no process is available", async () => {
    const nobody = [await refused()];
    const { url } = await openHaproxy({ commandApi: nobody, queryApi: nobody, web: nobody });
    for (const path of ["/prod/api/reports/recent", "/", "/admin"]) {
      const found = await fetch(url + path);
      expect([found.status, found.headers.get("retry-after")], path).toEqual([503, "2"]);
      expect((await found.json()).error.code).toBe("unavailable");
    }
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(503);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it.each([
    [0, host],
    [1, "203.0.113.7"],
    [2, "198.51.100.9"],
  ] as const)(
    "forwards only the address it trusts, with %i proxies in front",
    async (trustProxy, address) => {
      const seen: Seen[] = [];
      const queryApi = [await upstream("query", seen, answer)];
      const { url } = await openHaproxy({ queryApi }, { trustProxy });
      const claimed = { "x-forwarded-for": "198.51.100.9, 203.0.113.7", forwarded: "for=1.2.3.4" };
      await fetch(`${url}/prod/x`, { headers: claimed });
      await ask(url, "GET", "/prod/x", { "x-forwarded-for": "nonsense" });
      expect(seen[0]?.headers["x-forwarded-for"]).toBe(address);
      expect(seen[0]?.headers).not.toHaveProperty("forwarded");
      expect(seen[1]?.headers["x-forwarded-for"]).toBe(host);
    },
  );

  it("logs neither paths nor queries nor headers", async () => {
    const each = [await upstream("any", [], answer)];
    const { url, output } = await openHaproxy({ queryApi: each, web: each });
    const canary = "quinn-ames-canary";
    await fetch(`${url}/prod/api/reports/search?q=${canary}`, { headers: { "x-canary": canary } });
    await fetch(`${url}/report/${canary}`, { headers: { "user-agent": canary } });
    await ask(url, "GET", `//${canary}`);
    await ask(url, canary.toUpperCase(), `/${canary}`);
    for (const status of [200, 400, 405])
      await expect.poll(output).toMatch(new RegExp(`"status":${status}`));
    expect(output().toLowerCase()).not.toContain(canary);
    for (const line of output()
      .trim()
      .split("\n")
      .filter((line) => line.startsWith("{")))
      JSON.parse(line);
  });
});

it("deploy/haproxy.cfg sends the services' HSTS header", async () => {
  const header = `set-header strict-transport-security ${STRICT_TRANSPORT}\n`;
  expect(await read("deploy/haproxy.cfg")).toContain(header);
});

it("deploy/haproxy.cfg rejects with the contract's codes and sentences", async () => {
  const config = await read("deploy/haproxy.cfg");
  const bodies = [...config.matchAll(/http-error status (\d+) .*? string '([^']*)'/g)];
  expect(bodies.map(([, status]) => Number(status))).toEqual([
    400, 404, 405, 408, 413, 429, 500, 502, 503, 504,
  ]);
  for (const [, status, body = ""] of bodies) {
    const { success, error } = JSON.parse(body);
    const code = error.code as keyof typeof messages;
    expect([success, error]).toEqual([false, { code, message: messages[code] }]);
    const told = status === "502" || status === "504" ? 503 : Number(status);
    expect(errorStatuses[code]).toBe(told);
  }
});
