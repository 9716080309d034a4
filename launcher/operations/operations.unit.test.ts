import { pino } from "pino";
import { Counter, Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Readiness } from "#http/health.ts";
import { limitClasses } from "#http/limits.ts";
import { buildOperationsApp, type ObservedService } from "./operations.app.ts";

function service(name: string, ready = true): ObservedService {
  const registry = new Registry();
  registry.setDefaultLabels({ service: name });
  new Counter({ name: "requests_total", help: "Requests", registers: [registry] }).inc(2);
  return {
    name,
    registry,
    readiness: async () => ({
      status: ready ? "ready" : "not_ready",
      service: name,
      checks: { projections: { ok: ready, ms: 1, detail: { reports_lag: 3 } } },
    }),
    openApi: { paths: { [`/prod/${name}`]: { get: {} }, "/healthz": { get: {} } } },
  };
}

async function app(...services: ObservedService[]) {
  const log = pino({ level: "silent" });
  return buildOperationsApp({ version: "1.2.3", log, services, outbox: undefined });
}

describe("the operations pages", () => {
  it("are ready if every service is, and show each one's checks", async () => {
    const both = await app(service("a"), service("b"));
    const reply = await both.inject("/readyz");
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({
      status: "ready",
      services: { b: { checks: { projections: { detail: { reports_lag: 3 } } } } },
    });
    const torn = await app(service("a"), service("b", false));
    expect((await torn.inject("/readyz")).statusCode).toBe(503);
    expect((await torn.inject("/healthz")).statusCode).toBe(200);
  });

  it.each([
    ["mails alone are held up", { mails: false, deletions: true }, 200, "degraded"],
    ["something else fails too", { mails: false, deletions: false }, 503, "not_ready"],
    ["something else fails alone", { mails: true, deletions: false }, 503, "not_ready"],
    ["it is being stopped", { mails: true, deletions: true }, 503, "not_ready"],
  ])(
    "stay ready for callers while deferrable work is late: %s",
    async (_, checks, code, status) => {
      const mailer: ObservedService = {
        ...service("mailer"),
        readiness: async () => ({
          status: "not_ready",
          service: "mailer",
          checks: Object.fromEntries(Object.entries(checks).map(([n, ok]) => [n, { ok, ms: 1 }])),
        }),
        mayWait: ["mails"],
      };
      const reply = await (await app(service("a"), mailer)).inject("/readyz");
      expect(reply.statusCode).toBe(code);
      expect(reply.json()).toMatchObject({
        status,
        services: { a: { status: "ready" }, mailer: { status: "not_ready" } },
      });
      const torn = await app(service("a", false), mailer);
      expect((await torn.inject("/readyz")).statusCode).toBe(503);
    },
  );

  it("show other callers only a status, even behind a proxy on this machine", async () => {
    const both = await app(service("a"), service("b"));
    for (const from of [
      { remoteAddress: "203.0.113.9" },
      { headers: { "x-forwarded-for": "203.0.113.9" } },
    ]) {
      expect((await both.inject({ url: "/readyz", ...from })).json()).toEqual({ status: "ready" });
      expect((await both.inject({ url: "/metrics", ...from })).statusCode).toBe(404);
    }
  });

  it.each([{ trustProxyHops: 1 }, { publicUrl: "https://registry.example" }])(
    "show only a status to a configured local proxy that adds no header: %o",
    async (front) => {
      const log = pino({ level: "silent" });
      const options = { version: "1", log, services: [service("a")], outbox: undefined };
      const behind = await buildOperationsApp({ ...options, ...front });
      expect((await behind.inject("/readyz")).json()).toEqual({ status: "ready" });
      expect((await behind.inject("/metrics")).statusCode).toBe(404);
      const alone = await buildOperationsApp({ ...options, publicUrl: "http://127.0.0.1:3000" });
      expect((await alone.inject("/metrics")).statusCode).toBe(200);
    },
  );

  it("serve the metrics of all services, with a label for each", async () => {
    const text = (await (await app(service("a"), service("b"))).inject("/metrics")).body;
    expect(text.match(/# TYPE requests_total/g)).toHaveLength(1);
    expect(text).toMatch(/requests_total\{service="a"\} 2/);
    expect(text).toMatch(/requests_total\{service="b"\} 2/);
  });

  it("show all routes in one document", async () => {
    const both = await app(service("a"), service("b"));
    expect(Object.keys((await both.inject("/docs/json")).json().paths)).toEqual([
      "/prod/a",
      "/prod/b",
    ]);
    const page = await both.inject("/docs");
    expect(page.statusCode).toBe(200);
  });

  it("describe the routes once in each format, and count the requests", async () => {
    let written = 0;
    const operation = {
      toJSON: () => {
        written += 1;
        return { summary: "read" };
      },
    };
    const both = await app({
      ...service("a"),
      openApi: { paths: { "/prod/a": { get: operation } } },
    });
    const ask = (url: string, remoteAddress: string) => both.inject({ url, remoteAddress });
    for (let n = 0; n < 5; n += 1) {
      expect((await ask("/docs/json", "203.0.113.1")).json().paths["/prod/a"].get).toEqual({
        summary: "read",
      });
      const yaml = await ask("/docs/yaml?x", "203.0.113.1");
      expect([yaml.statusCode, yaml.headers["content-type"]]).toEqual([200, "application/yaml"]);
      expect(parse(yaml.body).paths["/prod/a"].get).toEqual({ summary: "read" });
    }
    expect(written).toBe(2);
    const { max } = limitClasses.read.ip;
    const statuses: number[] = [];
    for (let n = 10; n <= max; n += 1)
      statuses.push((await ask("/docs/json", "203.0.113.1")).statusCode);
    expect([statuses[0], statuses.at(-2), statuses.at(-1)]).toEqual([200, 200, 429]);
    const over = await ask("/docs/yaml", "203.0.113.1");
    expect([over.statusCode, over.json().error.code]).toEqual([429, "too_many_requests"]);
    expect(Number(over.headers["retry-after"])).toBeGreaterThan(0);
    expect((await ask("/docs/json", "203.0.113.2")).statusCode).toBe(200);
    expect((await ask("/readyz", "203.0.113.1")).statusCode).toBe(200);
  });

  it("run the checks once for concurrent callers", async () => {
    const answer = Promise.withResolvers<Readiness>();
    let asked = 0;
    const slow: ObservedService = {
      ...service("a"),
      readiness: () => {
        asked += 1;
        return answer.promise;
      },
    };
    const one = await app(slow);
    const all = Promise.all(Array.from({ length: 50 }, () => one.inject("/readyz")));
    await expect.poll(() => asked).toBe(1);
    answer.resolve({ status: "ready", service: "a", checks: {} });
    expect(new Set((await all).map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(asked).toBe(1);
  });

  it("show the API under a policy without other origins, and do not upgrade plain HTTP", async () => {
    const both = await app(service("a"));
    const { body, headers } = await both.inject("/docs");
    const policy = String(headers["content-security-policy"]);
    expect(policy).toMatch(/default-src 'none'; .*script-src 'self';/);
    expect(policy).not.toMatch(/upgrade-insecure-requests|validator|https:/);
    const script = await both.inject("/docs/static/swagger-initializer.js");
    expect(script.body).toMatch(/"validatorUrl":\s*null/);
    expect(script.body).toMatch(/"layout":\s*"BaseLayout"/);
    const links = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? "");
    expect(links.length).toBeGreaterThan(2);
    for (const link of links) {
      const file = await both.inject(new URL(link, "http://x/docs").pathname);
      expect([link, file.statusCode]).toEqual([link, 200]);
    }
  });

  it.each([
    ["/docs/static/missing.js", 404, "not_found"],
    ["/docs/static/..%2f..%2fpackage.json", 404, "not_found"],
    ["/docs/nowhere", 404, "not_found"],
    ["/docs/static/%E0%A4%A", 400, "invalid_url"],
  ])("answer %s in the error format of the contract", async (url, status, code) => {
    const answer = await (await app(service("a"))).inject(url);
    expect([answer.statusCode, answer.json()]).toEqual([
      status,
      { success: false, error: { code, message: expect.any(String) } },
    ]);
  });

  it("have no outbox by default", async () => {
    expect((await (await app()).inject("/outbox")).statusCode).toBe(404);
  });
});
