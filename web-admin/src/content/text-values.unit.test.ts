import { describe, expect, it } from "vitest";
import { EMPTY_TEXT, slugProblem, textOf, textProblems, valuesOf } from "./text-values.ts";

const post = { ...EMPTY_TEXT, title: " News ", description: " One ", body: "Words\n" };

describe("a text as it is typed", () => {
  it("is sent trimmed, with the fields of its kind alone", () => {
    expect(textOf("blog", { ...post, order: "3" })).toEqual({
      title: "News",
      description: "One",
      body: "Words\n",
    });
    expect(textOf("faq", { ...post, order: "3" })).toEqual({
      title: "News",
      description: "",
      body: "Words\n",
      order: 3,
    });
  });

  it("comes back as it was stored", () => {
    const stored = { title: "News", description: "One", body: "Words\n" };
    expect(textOf("page", valuesOf(stored))).toEqual(stored);
    const item = { ...stored, description: "", order: 0 };
    expect(textOf("faq", valuesOf(item))).toEqual(item);
  });

  it.each([
    ["blog", {}, []],
    ["blog", { title: "  " }, ["title"]],
    ["blog", { title: "x".repeat(201) }, ["title"]],
    ["blog", { description: "x".repeat(301), body: "x".repeat(100_001) }, ["description", "body"]],
    ["faq", { order: "" }, ["order"]],
    ["faq", { order: "-1" }, ["order"]],
    ["faq", { order: "1.5" }, ["order"]],
    ["faq", { order: "12345" }, ["order"]],
    ["faq", { order: "9999" }, []],
  ] as const)("of the kind %s with %j has problems in %j", (kind, change, fields) => {
    expect(Object.keys(textProblems(kind, { ...post, ...change }))).toEqual(fields);
  });
});

it.each([
  ["blog", "what-changed", true],
  ["blog", "What", false],
  ["blog", "a--b", false],
  ["blog", "", false],
  ["blog", "x".repeat(81), false],
  ["page", "login", false],
  ["faq", "login", true],
] as const)("of the kind %s an address %j is possible: %s", (kind, slug, possible) => {
  expect(slugProblem(kind, slug) === undefined).toBe(possible);
});
