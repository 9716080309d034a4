import { describe, expect, it } from "vitest";
import { mergeOpenApi } from "./api-docs.ts";

describe("merging API descriptions", () => {
  const info = { title: "t", version: "1" };

  it("combines the methods of one path", () => {
    const merged = mergeOpenApi(info, [
      { paths: { "/x": { get: { a: 1 } } } },
      { paths: { "/x": { post: {} } } },
    ]);
    expect(merged.paths).toEqual({ "/x": { get: { a: 1 }, post: {} } });
  });

  it("merges the parameters of a method that two services handle", () => {
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

  it("lists each tag once and omits tags without operations", () => {
    const described = (...names: string[]) =>
      names.map((name) => ({ name, description: `about ${name}` }));
    const merged = mergeOpenApi(info, [
      { tags: described("a", "b", "operation"), paths: { "/x": { get: { tags: ["b"] } } } },
      {
        tags: described("a", "b", "operation"),
        paths: { "/y": { get: { tags: ["a"] } }, "/readyz": { get: { tags: ["operation"] } } },
      },
    ]);
    expect(merged.tags).toEqual(described("a", "b"));
  });

  it("rejects conflicting descriptions of one component", () => {
    const schemas = (type: string) => ({ components: { schemas: { X: { type } } } });
    expect(() => mergeOpenApi(info, [schemas("string"), schemas("number")])).toThrow(
      /components\.schemas\.X in different ways/,
    );
  });
});
