import { describe, expect, it } from "vitest";
import type { ContentRecord, ContentVersion } from "#contracts/http/content.ts";
import { linesOf, problemWith } from "../shared/fields.tsx";
import { bodyOf, contentEditing, EMPTY, fieldsOf, slugField, statusText } from "./labels.ts";

const { sentenceOf, actionsOf, valuesOf } = contentEditing;
const event = (revision: number, type: string, more: Partial<ContentVersion> = {}) =>
  ({ revision, type, has_text: true, actor: "Dana Ruiz", ...more }) as ContentVersion;
const record = (change: Partial<ContentRecord>): ContentRecord => ({
  id: "0",
  type: "blog",
  slug: "news",
  status: "draft",
  has_changes: false,
  revision: 0,
  text: { title: "News", description: "", body: "" },
  history: [],
  ...change,
});

describe("the history of a text", () => {
  it.each([
    [event(0, "ContentCreated"), "Dana Ruiz created this text"],
    [event(1, "ContentEdited"), "Dana Ruiz saved a draft"],
    [event(2, "ContentPublished"), "Dana Ruiz published the draft"],
    [
      event(2, "ContentPublished", { version: "2026-11-24" }),
      "Dana Ruiz published the draft as version 2026-11-24",
    ],
    [event(3, "ContentUnpublished"), "Dana Ruiz unpublished the text"],
    [event(4, "ContentRestored", { restored: 1 }), "Dana Ruiz restored revision 1 as the draft"],
    [event(0, "ContentShipped", { version: "2026-11-23" }), "Default text, version 2026-11-23"],
  ])("describes %j", (happened, sentence) => {
    expect(sentenceOf(happened)).toBe(sentence);
  });

  it("describes an unknown author", () => {
    const { actor: _, ...unknown } = event(1, "ContentEdited");
    expect(sentenceOf(unknown)).toBe("Someone saved a draft");
  });
});

describe("the available actions", () => {
  const names = (change: Partial<ContentRecord>, isDirty = false) =>
    actionsOf(record(change), isDirty).map(({ name }) => name);

  it.each([
    [{ status: "draft" }, ["delete", "publish"]],
    [{ status: "published" }, ["unpublish", "delete"]],
    [{ status: "published", has_changes: true }, ["unpublish", "delete", "publish"]],
    [{ type: "legal", status: "published" }, []],
    [{ type: "legal", status: "published", has_changes: true }, ["publish"]],
  ] as const)("for %j are %j", (change, actions) => {
    expect(names(change)).toEqual(actions);
  });

  it("publish typed changes after saving them, and don't offer anything else", () => {
    const legal = { type: "legal", status: "published" } as const;
    expect(names(legal, true)).toEqual(["publish"]);
    const saving = actionsOf(record({ status: "published" }), true).filter(
      ({ savesFirst }) => savesFirst,
    );
    expect(saving.map(({ label }) => label)).toEqual(["Save and publish"]);
  });

  it("warn that people will be asked to agree again only for new terms", () => {
    const asked = (slug: string) =>
      actionsOf(record({ type: "legal", slug }), true)[0]?.question?.consequence;
    expect(asked("terms")).toContain("asked to agree again");
    expect(asked("privacy")).not.toContain("agree");
  });
});

it("compares a text by its fields and lines", () => {
  const text = { ...EMPTY, title: "Cost?", body: "Free.\nReally.\n", order: "8" };
  expect(linesOf(fieldsOf("faq"), text)).toEqual([
    "Question: Cost?",
    "Order: 8",
    "Answer (Markdown):",
    "Free.",
    "Really.",
  ]);
  expect(linesOf(fieldsOf("blog"), { ...text, description: "One" })[1]).toBe("Description: One");
});

it("shows that a published text has unpublished changes", () => {
  expect([
    statusText({ status: "draft", has_changes: false }),
    statusText({ status: "published", has_changes: false }),
    statusText({ status: "published", has_changes: true }),
  ]).toEqual(["Draft", "Published", "Published, with changes"]);
});

const post = { ...EMPTY, title: " News ", description: " One ", body: "Words\n" };

describe("a text as typed", () => {
  it("is sent trimmed, with only the fields of its kind", () => {
    expect(bodyOf({ ...post, order: "3" }, "blog")).toEqual({
      title: "News",
      description: "One",
      body: "Words\n",
    });
    expect(bodyOf({ ...post, order: "3" }, "faq")).toEqual({
      title: "News",
      description: "",
      body: "Words\n",
      order: 3,
    });
  });

  it("round-trips as stored", () => {
    const stored = { title: "News", description: "One", body: "Words\n" };
    expect(bodyOf(valuesOf(stored), "page")).toEqual(stored);
    const item = { ...stored, description: "", order: 0 };
    expect(bodyOf(valuesOf(item), "faq")).toEqual(item);
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
  ] as const)("of kind %s with %j has problems in %j", (kind, change, fields) => {
    const values: Readonly<Record<string, string>> = { ...post, ...change };
    const wrong = fieldsOf(kind).filter((field) => problemWith(field, values[field.source] ?? ""));
    expect(wrong.map(({ source }) => source)).toEqual(fields);
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
] as const)(
  "for kind %s, decides whether the address %j is allowed: %s",
  (kind, slug, possible) => {
    expect(problemWith(slugField(kind), slug) === undefined).toBe(possible);
  },
);
