import { Type } from "typebox";
import { afterEach, describe, expect, it } from "vitest";
import { DoneReply } from "#contracts/http/envelope.ts";
import { done } from "./envelope.ts";
import { limitClasses } from "./limits.ts";
import type { ServiceInstance, ServiceOptions } from "./service.ts";
import { createTestService } from "./testing/test-service.ts";

const apps: ServiceInstance[] = [];
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

async function service(options: Partial<ServiceOptions> = {}) {
  const { app } = await createTestService(options);
  apps.push(app);
  const config = { roles: ["visitor"], limit: "read" } as const;
  const response = { 200: DoneReply };
  const params = Type.Object({ id: Type.String() }, { additionalProperties: false });
  app.get("/things/:id", { config, schema: { params, response } }, async () => done("read"));
  app.put("/things/:id", { config, schema: { params, response } }, async () => done("put"));
  app.post("/things/new", { config, schema: { response } }, async () => done("made"));
  await app.ready();
  return app;
}

describe("a route that allows other methods", () => {
  it.each([
    ["DELETE", "/things/7", "GET, HEAD, PUT"],
    ["PATCH", "/things/7?x=1", "GET, HEAD, PUT"],
    ["OPTIONS", "/things/7", "GET, HEAD, PUT"],
    ["TRACE", "/things/7", "GET, HEAD, PUT"],
    // The most specific route wins, even if a parameter would also match.
    ["GET", "/things/new", "POST"],
    ["PUT", "/things/new", "POST"],
    ["POST", "/healthz", "GET, HEAD"],
    // Routes of the contract that another service handles.
    ["POST", "/prod/api/reports/recent", "GET, HEAD"],
    ["GET", "/prod/api/reports/submit", "POST"],
    ["PATCH", "/prod/api/admin/reports/7", "DELETE, GET, HEAD, PUT"],
  ])("answers %s %s with 405 and allows %s", async (method, url, allow) => {
    const answer = await (await service()).inject({ method: method as "GET", url });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, allow]);
    expect(answer.json()).toEqual({
      success: false,
      error: { code: "method_not_allowed", message: expect.stringMatching(/\w/) },
    });
  });

  it.each([
    ["GET", "/things"],
    ["DELETE", "/things/7/parts"],
    ["OPTIONS", "/nowhere"],
    // Another service's route, sent to the wrong backend.
    ["POST", "/prod/api/reports/submit"],
  ])("is not %s %s, which gets 404", async (method, url) => {
    const answer = await (await service()).inject({ method: method as "GET", url });
    expect([answer.statusCode, answer.headers.allow]).toEqual([404, undefined]);
  });

  it("is rate-limited like an unknown route", async () => {
    const app = await service({ limits: "on" });
    const { max } = limitClasses.not_found.ip;
    const ask = async () => (await app.inject("/things/new")).statusCode;
    const first = await Promise.all(Array.from({ length: max }, ask));
    expect(new Set(first)).toEqual(new Set([405]));
    expect(await ask()).toBe(429);
  });

  it("leaves preflights to CORS when origins are configured", async () => {
    const app = await service({ corsOrigins: ["https://shop.example"] });
    const preflight = await app.inject({
      method: "OPTIONS",
      url: "/things/7",
      headers: { origin: "https://shop.example", "access-control-request-method": "PUT" },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers["access-control-allow-origin"]).toBe("https://shop.example");
  });
});

it("answers HEAD like GET, without a body", async () => {
  const app = await service();
  const [get, head] = [
    await app.inject("/things/7"),
    await app.inject({ method: "HEAD", url: "/things/7" }),
  ];
  expect([head.statusCode, head.body]).toEqual([200, ""]);
  expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
});
