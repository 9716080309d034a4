import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { describe, expect, it, onTestFinished } from "vitest";
import { DoneReply } from "#contracts/http/envelope.ts";
import { strict } from "#contracts/report/fields.ts";
import { REPORT_BOUNDS } from "#http/bounds.ts";
import { done } from "#http/envelope.ts";
import { createTestService } from "#http/test-service.ts";
import { addCommandRoutes, type CommandRoute, commandRoute } from "./command-route.ts";

const greet = commandRoute({
  method: "POST",
  url: "/greet/:name",
  roles: ["visitor", "user"],
  limit: "view",
  tag: "accounts",
  summary: "Greet somebody",
  params: strict({ name: Type.String({ minLength: 2 }) }),
  body: strict({ word: Type.String({ minLength: 1 }) }),
  reply: DoneReply,
  bounds: REPORT_BOUNDS,
  tidy: [
    async (request: FastifyRequest) => {
      request.body ??= { word: "Hello" };
    },
  ],
  run: ({ params, body }) => done(`${body.word} ${params.name}`),
});

async function serving(...rows: CommandRoute[]) {
  const { app } = await createTestService();
  onTestFinished(() => app.close());
  addCommandRoutes(app, rows);
  return app;
}

describe("a row of the command side's routes", () => {
  it("is a route with the row's rules, schemas and description", async () => {
    const app = await serving(greet);
    await app.ready();
    expect(app.routeTable.find(({ url }) => url === greet.url)).toEqual({
      method: "POST",
      url: greet.url,
      roles: greet.roles,
      limit: "view",
      bounds: REPORT_BOUNDS,
    });
    expect(app.swagger().paths?.["/greet/{name}"]?.post).toMatchObject({
      tags: ["accounts"],
      summary: "Greet somebody",
    });
    const ask = (name: string, body?: object) =>
      app.inject({ method: "POST", url: `/greet/${name}`, ...(body ? { payload: body } : {}) });
    expect((await ask("Quinn")).json()).toEqual({ success: true, message: "Hello Quinn" });
    expect((await ask("Quinn", { word: "" })).json().error.fields).toHaveProperty("word");
    expect((await ask("Q")).json().error.fields).toHaveProperty("name");
  });

  it.each([
    ["roles", { roles: [] }],
    ["roles", { roles: undefined }],
    ["limit", { limit: undefined }],
    ["params", { params: undefined }],
  ])("keeps the service from starting when it lacks its %s", async (what, missing) => {
    await expect(serving({ ...greet, ...missing } as CommandRoute)).rejects.toThrow(what);
  });
});
