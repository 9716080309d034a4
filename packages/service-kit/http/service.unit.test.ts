import { Type } from "typebox";
import { afterEach, describe, expect, it, vi } from "vitest";
import { reply as replyOf } from "#contracts/http/envelope.ts";
import { succeed } from "./envelope.ts";
import { DomainError } from "./errors.ts";
import { runChecks } from "./health.ts";
import type { ServiceInstance, ServiceOptions } from "./service.ts";
import { createTestService } from "./test-service.ts";

const strict = { additionalProperties: false };
const open = { roles: ["visitor", "user", "admin", "auditor"], limit: "read" } as const;
const Thing = Type.Object({ name: Type.String(), size: Type.Optional(Type.Integer()) }, strict);
const ThingReply = replyOf(Thing);
const SECRET = "dana-secret@example.com";

const apps: ServiceInstance[] = [];
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

async function service(options: Partial<ServiceOptions> = {}) {
  const made = await createTestService(options);
  apps.push(made.app);
  const { app } = made;
  app.post(
    "/things/:id",
    {
      config: open,
      schema: {
        params: Type.Object({ id: Type.Integer() }, strict),
        querystring: Type.Object(
          {
            limit: Type.Optional(Type.Integer({ minimum: 1, default: 9 })),
            tags: Type.Optional(Type.Array(Type.String())),
            q: Type.Optional(Type.String({ maxLength: 5 })),
          },
          strict,
        ),
        body: Thing,
        response: {
          200: replyOf(
            Type.Object(
              { params: Type.Unknown(), query: Type.Unknown(), body: Type.Unknown() },
              strict,
            ),
          ),
        },
      },
    },
    async ({ params, query, body }) => succeed({ params, query, body }),
  );
  app.post(
    "/optional",
    {
      config: open,
      schema: {
        body: Type.Object({ reason: Type.Optional(Type.String()) }, strict),
        response: { 200: ThingReply },
      },
    },
    async ({ body }) => succeed({ name: body.reason ?? "none" }),
  );
  app.post("/no-body", { config: open, schema: { response: { 200: ThingReply } } }, async () =>
    succeed({ name: "done" }),
  );
  app.get("/leaky", { config: open, schema: { response: { 200: ThingReply } } }, async () => ({
    success: true as const,
    data: { name: "x", email: SECRET },
    token: SECRET,
  }));
  app.get(
    "/wrong",
    { config: open, schema: { response: { 200: ThingReply } } },
    async (_request, reply) =>
      reply.send({ success: true, data: { name: { email: SECRET } } } as never),
  );
  app.get(
    "/undeclared-status",
    { config: open, schema: { response: { 200: ThingReply } } },
    async (_request, reply) =>
      (reply as { code(status: number): typeof reply }).code(201).send({ email: SECRET } as never),
  );
  app.get("/refused", { config: open, schema: { response: { 200: ThingReply } } }, async () => {
    throw new DomainError("reason_required", "A rejection needs a reason", { reason: "Say why" });
  });
  app.get("/broken", { config: open, schema: { response: { 200: ThingReply } } }, async () => {
    throw new SyntaxError(`Unexpected token in ${SECRET}`);
  });
  app.get("/away", { config: open, schema: { response: { 200: ThingReply } } }, async () => {
    throw Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
  });
  app.get("/hangs", { config: open, schema: { response: { 200: ThingReply } } }, () => {
    return new Promise<never>(() => undefined);
  });
  return made;
}

const post = (app: ServiceInstance, url: string, payload: unknown, headers = {}) =>
  app.inject({ method: "POST", url, payload: payload as object, headers });
const json = { "content-type": "application/json" };

describe("requests", () => {
  it("convert the text of path and query, fill in defaults, and ignore _cb and empty values", async () => {
    const { app } = await service();
    const answer = await post(app, "/things/7?tags=a&q=&_cb=17", { name: "x" });
    expect(answer.json().data).toEqual({
      params: { id: 7 },
      query: { limit: 9, tags: ["a"] },
      body: { name: "x" },
    });
    const more = await post(app, "/things/7?limit=3&tags=a&tags=b", { name: "x" });
    expect(more.json().data.query).toEqual({ limit: 3, tags: ["a", "b"] });
  });

  it.each([
    [
      "a number in the body as text",
      "/things/1",
      { name: "x", size: "3" },
      "size",
      /^Size must be a whole number$/,
    ],
    ["a fraction", "/things/1", { name: "x", size: 1.5 }, "size", /whole number/],
    ["a missing field", "/things/1", {}, "name", /^Name is required$/],
    ["an unknown field", "/things/1", { name: "x", zz: 1 }, "zz", /^zz is not a field/],
    ["a list for an object", "/things/1", [], "body", /^The request body must be an object$/],
    ["an unknown query parameter", "/things/1?colour=red", { name: "x" }, "colour", /not a field/],
    [
      "a query parameter given twice",
      "/things/1?q=a&q=b",
      { name: "x" },
      "q",
      /^Q must be a text$/,
    ],
    ["a query parameter out of range", "/things/1?limit=0", { name: "x" }, "limit", /at least 1/],
    ["a query parameter that is no number", "/things/1?limit=1e1", { name: "x" }, "limit", /whole/],
    ["a query parameter too long", "/things/1?q=123456", { name: "x" }, "q", /at most 5/],
    ["a path that is no number", "/things/x", { name: "x" }, "id", /^ID must be a whole number$/],
    ["a NUL byte in the body", "/things/1", { name: "a\0b" }, "name", /^Name contains char/],
    ["a lone surrogate", "/things/1", { name: "\ud800" }, "name", /^Name contains char/],
    ["a NUL byte in a name", "/things/1", { name: "x", "a\0": 1 }, "body", /name of a field/],
    ["a NUL byte in the query", "/things/1?q=%00", { name: "x" }, "q", /^Q contains char/],
    ["a NUL byte in the path", "/things/%00", { name: "x" }, "id", /^ID contains char/],
  ])("are refused for %s, naming the field", async (_what, url, payload, field, text) => {
    const { app } = await service();
    // An escaped lone surrogate survives only in text that was made by hand.
    const answer = await post(app, url, JSON.stringify(payload), json);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({
      success: false,
      error: {
        code: "invalid_request",
        message: expect.stringMatching(/\.$/),
        fields: { [field as string]: expect.stringMatching(text as RegExp) },
      },
    });
  });

  it("may hold emoji and right-to-left text", async () => {
    const { app } = await service();
    const name = "😀 \u202eשלום 👩‍👩‍👧";
    expect((await post(app, "/things/1", { name })).json().data.body).toEqual({ name });
  });

  it.each([
    ["broken JSON", "{", json, 400, "invalid_json"],
    ["a prototype in the JSON", '{"__proto__":{"a":1}}', json, 400, "invalid_json"],
    ["a literal null", "null", json, 400, "invalid_request"],
    ["a body too large", `{"name":"${"x".repeat(300_000)}"}`, json, 413, "too_large"],
    ["text", "name=x", { "content-type": "text/plain" }, 415, "unsupported_media_type"],
    [
      "a form",
      "name=x",
      { "content-type": "application/x-www-form-urlencoded" },
      415,
      "unsupported_media_type",
    ],
    ["no content type", Buffer.from("{}"), {}, 415, "unsupported_media_type"],
    ["no sense as a content type", "{}", { "content-type": "x" }, 415, "unsupported_media_type"],
    [
      "nesting without end",
      `{"name":${"[".repeat(60_000)}${"]".repeat(60_000)}}`,
      json,
      400,
      "invalid_request",
    ],
  ])("with %s are refused in the same shape", async (_what, payload, headers, status, code) => {
    const { app } = await service();
    const answer = await app.inject({ method: "POST", url: "/things/1", payload, headers });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ success: false, error: { code, message: /./ } });
  });

  it("with an address that does not decode, or leads nowhere, are refused in the same shape", async () => {
    const { app } = await service();
    const broken = await app.inject("/things/%E0%A4%A");
    expect([broken.statusCode, broken.json().error.code]).toEqual([400, "invalid_url"]);
    for (const method of ["GET", "POST", "DELETE", "HEAD"] as const) {
      const nowhere = await app.inject({ method, url: "/nowhere" });
      expect(nowhere.statusCode).toBe(404);
      if (method !== "HEAD") expect(nowhere.json().error.code).toBe("not_found");
    }
  });

  it("may leave out a body whose fields are all optional, whatever their content type", async () => {
    const { app } = await service();
    for (const headers of [{}, json]) {
      const answer = await app.inject({ method: "POST", url: "/optional", headers });
      expect(answer.json()).toEqual({ success: true, data: { name: "none" } });
    }
    expect((await post(app, "/optional", { zz: 1 })).statusCode).toBe(400);
  });

  it("may not bring a body to a route that declares none, but for an empty one", async () => {
    const { app } = await service();
    expect((await post(app, "/no-body", {})).statusCode).toBe(200);
    expect((await post(app, "/no-body", { a: 1 })).statusCode).toBe(400);
    expect((await post(app, "/no-body", "[1]", json)).statusCode).toBe(400);
  });

  it("name several problems at once", async () => {
    const { app } = await service();
    const { error } = (await post(app, "/things/1", { size: "x", zz: 1 })).json();
    expect(Object.keys(error.fields).sort()).toEqual(["name", "size", "zz"]);
    expect(error.message).toContain("Name is required.");
  });
});

describe("replies", () => {
  it("drop what the schema does not declare", async () => {
    const { app } = await service();
    const answer = await app.inject("/leaky");
    expect(answer.body).toBe('{"success":true,"data":{"name":"x"}}');
  });

  it.each(["/wrong", "/undeclared-status"])("of %s are not sent, and not logged", async (url) => {
    const { app, lines } = await service();
    const answer = await app.inject(url);
    expect(answer.statusCode).toBe(500);
    expect(answer.json().error.code).toBe("internal_error");
    expect(answer.body + lines.join("")).not.toContain(SECRET);
    expect(lines.join("")).toContain("InvalidReply");
  });

  it("carry a refusal with its code, sentence and fields", async () => {
    const { app } = await service();
    const answer = await app.inject("/refused");
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({
      success: false,
      error: {
        code: "reason_required",
        message: "A rejection needs a reason",
        fields: { reason: "Say why" },
      },
    });
  });

  it("never say why something failed on our side; the log does, without the data", async () => {
    const { app, lines } = await service();
    const answer = await app.inject(`/broken?_cb=${SECRET}`);
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({
      success: false,
      error: { code: "internal_error", message: expect.not.stringMatching(/token|Syntax/) },
    });
    const failure = lines.map((line) => JSON.parse(line)).find((line) => line.level === "error");
    expect(failure).toMatchObject({ route: "/broken", err: { type: "SyntaxError" } });
    expect(failure.err.stack).toContain("service.unit.test.ts");
    expect(lines.join("")).not.toContain(SECRET);
  });

  it("say 503 and when to come back while a store is away or a handler hangs", async () => {
    const { app } = await service({ handlerTimeoutMs: 50 });
    for (const url of ["/away", "/hangs"]) {
      const answer = await app.inject(url);
      expect([answer.statusCode, answer.json().error.code]).toEqual([503, "unavailable"]);
      expect(answer.headers["retry-after"]).toBe("5");
    }
  });

  it("carry a strict policy, no permission for other origins, and are not cached", async () => {
    const { app } = await service();
    const { headers } = await app.inject({
      url: "/leaky",
      headers: { origin: "https://a.example" },
    });
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["access-control-allow-origin"]).toBeUndefined();
    expect(headers["x-powered-by"]).toBeUndefined();
  });

  it("allow the origins that are configured, and no others", async () => {
    const { app } = await service({ corsOrigins: ["https://a.example"] });
    const ask = (origin: string) =>
      app.inject({
        method: "OPTIONS",
        url: "/optional",
        headers: { origin, "access-control-request-method": "POST" },
      });
    expect((await ask("https://a.example")).headers["access-control-allow-origin"]).toBe(
      "https://a.example",
    );
    expect((await ask("https://b.example")).headers["access-control-allow-origin"]).toBeUndefined();
  });

  it("name the request by an id that the caller may bring, if it is a UUID", async () => {
    const { app } = await service();
    const id = "6f1c2d34-1111-4222-8333-444455556666";
    const ask = (sent: string) => app.inject({ url: "/leaky", headers: { "x-request-id": sent } });
    expect((await ask(id)).headers["x-request-id"]).toBe(id);
    expect((await ask(SECRET)).headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("the log", () => {
  it("knows a request by its route, never by address, query, body or headers", async () => {
    const { app, lines } = await service();
    await app.inject({
      method: "POST",
      url: `/things/31337?q=${SECRET}`,
      payload: { name: SECRET },
      headers: { "user-agent": SECRET, "x-forwarded-for": "203.0.113.9" },
      remoteAddress: "203.0.113.8",
    });
    await app.inject(`/nowhere/${SECRET}`);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { method: "POST", route: "/things/:id", status: 400, service: "test-service" },
      { method: "GET", route: "(none)", status: 404 },
    ]);
    expect(lines.join("")).not.toMatch(/31337|secret|203\.0\.113/);
  });
});

describe("a route", () => {
  const response = { 200: ThingReply };
  it.each([
    ["roles", { limit: "read" }, { response }, /config\.roles/],
    ["any role", { roles: [], limit: "read" }, { response }, /config\.roles/],
    ["a known role", { roles: ["root"], limit: "read" }, { response }, /config\.roles/],
    ["a limit", { roles: ["visitor"] }, { response }, /config\.limit/],
    ["a known limit", { roles: ["visitor"], limit: "toString" }, { response }, /config\.limit/],
    ["a declared reply", open, {}, /schema\.response/],
    ["declared path parameters", open, { response }, /schema\.params/],
  ])("does not start without %s", async (what, config, schema, message) => {
    const { app } = await createTestService();
    apps.push(app);
    const url = String(what).includes("path") ? "/x/:id" : "/x";
    const add = () =>
      app.get(url, { config: config as never, schema: schema as never }, async () => ({}));
    expect(add).toThrow(message as RegExp);
  });

  it("does not start with a reply that lets undeclared properties pass", async () => {
    const { app } = await createTestService();
    apps.push(app);
    const schema = { response: { 200: Type.Object({ a: Type.String() }) } };
    app.get("/open", { config: open, schema }, async () => ({ a: "x" }));
    await expect(app.ready()).rejects.toThrow(/GET \/open is open/);
  });

  it("stands in the route table, and in the OpenAPI description, with its roles", async () => {
    const { app } = await service();
    await app.ready();
    expect(app.routeTable).toContainEqual({
      method: "POST",
      url: "/things/:id",
      roles: open.roles,
      limit: "read",
    });
    const api = JSON.parse(JSON.stringify(app.swagger()));
    expect(api.openapi).toBe("3.1.0");
    const operation = api.paths["/things/{id}"].post;
    expect(operation["x-roles"]).toEqual(open.roles);
    expect(operation.requestBody.content["application/json"].schema.required).toEqual(["name"]);
    expect(Object.keys(operation.responses)).toEqual(["200", "default"]);
  });
});

describe("health", () => {
  it("answers that it lives, and is ready while every check is ok", async () => {
    let ok = true;
    const checks = { database: async () => ({ ok, detail: { lag: 3 } }) };
    const { app } = await service({ checks });
    expect((await app.inject("/healthz")).json()).toEqual({
      status: "ok",
      service: "test-service",
    });
    const ready = await app.inject("/readyz");
    expect(ready.statusCode).toBe(200);
    expect(ready.json()).toEqual({
      status: "ready",
      service: "test-service",
      checks: { database: { ok: true, detail: { lag: 3 }, ms: expect.any(Number) } },
    });
    ok = false;
    const unready = await app.inject("/readyz");
    expect([unready.statusCode, unready.json().status]).toEqual([503, "not_ready"]);
  });

  it("is not ready when a check throws, and does not repeat what it said", async () => {
    const checks = {
      database: async () => {
        throw new Error(`password of ${SECRET}`);
      },
    };
    const { app } = await service({ checks });
    const answer = await app.inject("/readyz");
    expect(answer.json().checks.database).toMatchObject({ ok: false, detail: { error: "Error" } });
    expect(answer.body).not.toContain(SECRET);
  });

  it("does not wait for a check that hangs", async () => {
    vi.useFakeTimers();
    const running = runChecks("x", { hangs: () => new Promise<never>(() => undefined) }, false);
    await vi.advanceTimersByTimeAsync(2000);
    expect((await running).checks.hangs).toMatchObject({
      ok: false,
      detail: { error: "time limit" },
    });
    vi.useRealTimers();
  });

  it("counts requests by route", async () => {
    const { app } = await service();
    await post(app, "/things/31337", { name: "x" });
    await app.inject("/nowhere/31337");
    const answer = await app.inject("/metrics");
    expect(answer.headers["content-type"]).toContain("text/plain");
    expect(answer.body).toContain('route="/things/:id",status="200"');
    expect(answer.body).toContain('route="(none)",status="404"');
    expect(answer.body).not.toContain("31337");
  });
});
