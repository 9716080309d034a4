import { pino } from "pino";
import { Counter, Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { mergeOpenApi } from "./openapi.ts";
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
  it("are ready when every service is, and show each one's checks", async () => {
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

  it("give the figures of all services, told apart by a label", async () => {
    const text = (await (await app(service("a"), service("b"))).inject("/metrics")).body;
    expect(text.match(/# TYPE requests_total/g)).toHaveLength(1);
    expect(text).toMatch(/requests_total\{service="a"\} 2/);
    expect(text).toMatch(/requests_total\{service="b"\} 2/);
  });

  it("describe all routes in one document and show it", async () => {
    const both = await app(service("a"), service("b"));
    expect(Object.keys((await both.inject("/docs/json")).json().paths)).toEqual([
      "/prod/a",
      "/prod/b",
    ]);
    const page = await both.inject("/docs");
    expect(page.statusCode).toBe(200);
    expect(page.headers["content-security-policy"]).toMatch(/default-src 'self'/);
  });

  it("have no outbox unless they are given one", async () => {
    expect((await (await app()).inject("/outbox")).statusCode).toBe(404);
  });
});

describe("merging API descriptions", () => {
  const info = { title: "t", version: "1" };

  it("puts the methods of one path together", () => {
    const merged = mergeOpenApi(info, [
      { paths: { "/x": { get: { a: 1 } } } },
      { paths: { "/x": { post: {} } } },
    ]);
    expect(merged.paths).toEqual({ "/x": { get: { a: 1 }, post: {} } });
  });

  it("gives a method that two services answer the parameters of both", () => {
    const merged = mergeOpenApi(info, [
      {
        paths: { "/x": { get: { summary: "read", parameters: [{ name: "page", in: "query" }] } } },
      },
      {
        paths: {
          "/x": {
            get: {
              summary: "command",
              parameters: [
                { name: "page", in: "query", required: true },
                { name: "emergency", in: "query" },
              ],
            },
          },
        },
      },
    ]);
    expect(merged.paths?.["/x"]?.get).toEqual({
      summary: "read",
      parameters: [
        { name: "page", in: "query" },
        { name: "emergency", in: "query" },
      ],
    });
  });

  it("refuses two descriptions of one component", () => {
    const schemas = (type: string) => ({ components: { schemas: { X: { type } } } });
    expect(() => mergeOpenApi(info, [schemas("string"), schemas("number")])).toThrow(
      /components\.schemas\.X in different ways/,
    );
  });
});
