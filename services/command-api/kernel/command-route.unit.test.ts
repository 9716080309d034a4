import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { describe, expect, it, onTestFinished } from "vitest";
import { DoneReply } from "#contracts/http/envelope.ts";
import { strict } from "#contracts/report/fields.ts";
import { REPORT_BOUNDS } from "#http/bounds.ts";
import { done } from "#http/envelope.ts";
import { createTestService } from "#http/testing/test-service.ts";
import { commandsOf } from "./command-route.ts";

const URL = "/greet/:name";
const greet = {
  roles: ["visitor", "user"],
  limit: "view",
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
} as const;

async function serving(row: typeof greet) {
  const { app } = await createTestService();
  onTestFinished(() => app.close());
  commandsOf(app, "accounts")("POST", URL, {
    ...row,
    run: ({ params, body }) => done(`${body.word} ${params.name}`),
  });
  return app;
}

describe("a command route", () => {
  it("gets the rules, schemas and description of its definition", async () => {
    const app = await serving(greet);
    await app.ready();
    expect(app.routeTable.find(({ url }) => url === URL)).toEqual({
      method: "POST",
      url: URL,
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
  ])("prevents the service from starting if its %s is missing", async (what, missing) => {
    await expect(serving({ ...greet, ...missing } as unknown as typeof greet)).rejects.toThrow(
      what,
    );
  });
});
