import { Type } from "typebox";
import { afterEach, describe, expect, it } from "vitest";
import { boundsOf } from "./bounds.ts";
import {
  bareService,
  closeServices,
  open,
  SECRET,
  service,
  ThingReply,
} from "./testing/sample-service.ts";

afterEach(closeServices);

describe("the log", () => {
  it("identifies a request by its route, never by URL, query, body or headers", async () => {
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
    [
      "accounts alone, where it asks for a password",
      { ...open, proof: true },
      { response },
      /proof/,
    ],
    ["declared path parameters", open, { response }, /schema\.params/],
  ])("does not start without %s", async (what, config, schema, message) => {
    const { app } = await bareService();
    const url = String(what).includes("path") ? "/x/:id" : "/x";
    const add = () =>
      app.get(url, { config: config as never, schema: schema as never }, async () => ({}));
    expect(add).toThrow(message as RegExp);
  });

  it("does not start if its reply allows undeclared properties", async () => {
    const { app } = await bareService();
    const schema = { response: { 200: Type.Object({ a: Type.String() }) } };
    app.get("/open", { config: open, schema }, async () => ({ a: "x" }));
    await expect(app.ready()).rejects.toThrow(/GET \/open allows undeclared properties/);
  });

  it("is in the route table, and in the OpenAPI description, with its roles", async () => {
    const { app } = await service();
    await app.ready();
    expect(app.routeTable).toContainEqual({
      method: "POST",
      url: "/things/:id",
      bounds: boundsOf(open),
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
