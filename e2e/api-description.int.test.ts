import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mergeOpenApi, type OpenApiDocument } from "#http/api-docs/merge-openapi.ts";
import { type System, startSystem } from "./support/in-process.ts";

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.close());

/** The OpenAPI documents of the services, and the one that `/docs` shows. */
function documents(): Record<string, OpenApiDocument> {
  const commandApi = system.commandApi.app.swagger() as OpenApiDocument;
  const queryApi = system.queryApi.app.swagger() as OpenApiDocument;
  const docs = mergeOpenApi({ title: "t", version: "1" }, [commandApi, queryApi]);
  return { commandApi, queryApi, docs };
}

function operationsOf({ paths = {} }: OpenApiDocument) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method} ${path}`,
      tags: (operation as { tags?: string[] }).tags ?? [],
    })),
  );
}

describe("the API's description", () => {
  it.each(["commandApi", "queryApi", "docs"])(
    "gives every operation one tag that is described: %s",
    (name) => {
      const document = documents()[name] ?? {};
      const operations = operationsOf(document);
      expect(operations.length).toBeGreaterThan(10);
      expect(operations.filter(({ tags }) => tags.length !== 1)).toEqual([]);
      const described = (document.tags ?? []).filter(({ description }) => description);
      const known = new Set(described.map((tag) => tag.name));
      const unknown = operations.filter(({ tags }) => !tags.every((tag) => known.has(tag)));
      expect(unknown).toEqual([]);
      expect(known.size).toBe(document.tags?.length);
    },
  );

  it("lists no tag without operations", () => {
    const { docs = {} } = documents();
    const used = new Set(operationsOf(docs).flatMap(({ tags }) => tags));
    expect(new Set(docs.tags?.map(({ name }) => name))).toEqual(used);
    expect([...used].sort()).toEqual([
      "accounts",
      "audit",
      "content",
      "inquiries",
      "mails",
      "moderation",
      "notices",
      "payments",
      "public reports",
      "search",
      "submitting",
      "system",
      "templates",
    ]);
  });
});
