import { describe, expect, it } from "vitest";
import type { ContentRecord, ContentVersion } from "#contracts/http/content.ts";
import {
  changedSince,
  historySentence,
  standingText,
  stepsFor,
  stepWords,
  textLines,
} from "./text-words.ts";

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
    [event(0, "ContentCreated"), "Dana Ruiz began this text"],
    [event(1, "ContentEdited"), "Dana Ruiz saved a draft"],
    [event(2, "ContentPublished"), "Dana Ruiz published the draft"],
    [
      event(2, "ContentPublished", { version: "2026-11-24" }),
      "Dana Ruiz published the draft, as version 2026-11-24",
    ],
    [event(3, "ContentUnpublished"), "Dana Ruiz took the text from the site"],
    [event(4, "ContentRestored", { restored: 1 }), "Dana Ruiz restored revision 1 as the draft"],
    [
      event(0, "ContentShipped", { version: "2026-11-23" }),
      "The text as it came with the software, version 2026-11-23",
    ],
  ])("says %j", (happened, sentence) => {
    expect(historySentence(happened)).toBe(sentence);
  });

  it("has a sentence for what nobody knows the author of", () => {
    const { actor: _, ...nobody } = event(1, "ContentEdited");
    expect(historySentence(nobody)).toBe("Somebody saved a draft");
  });

  it("tells what happened since a revision, without the text as it shipped", () => {
    const history = [
      event(0, "ContentShipped"),
      event(1, "ContentEdited"),
      event(2, "ContentPublished"),
    ];
    expect(changedSince(history, -1).map(({ revision }) => revision)).toEqual([1, 2]);
    expect(changedSince(history, 1).map(({ revision }) => revision)).toEqual([2]);
  });
});

describe("the steps that are offered", () => {
  it.each([
    [{ status: "draft" }, ["publish", "delete"]],
    [{ status: "published" }, ["unpublish", "delete"]],
    [{ status: "published", has_changes: true }, ["publish", "unpublish", "delete"]],
    [{ type: "legal", status: "published" }, []],
    [{ type: "legal", status: "published", has_changes: true }, ["publish"]],
  ] as const)("for %j are %j", (change, steps) => {
    expect(stepsFor(record(change))).toEqual(steps);
  });

  it("say that new terms are asked about again, and other legal texts are not", () => {
    const words = (slug: string) => stepWords("publish", { type: "legal", slug }).consequence;
    expect(words("terms")).toContain("asked to agree again");
    expect(words("privacy")).not.toContain("agree");
  });
});

it("a text is compared by its fields and lines", () => {
  const text = { title: "Cost?", description: "", body: "Free.\nReally.\n", order: 8 };
  expect(textLines("faq", text)).toEqual([
    "Question: Cost?",
    "Place: 8",
    "Answer (Markdown):",
    "Free.",
    "Really.",
  ]);
  expect(textLines("page", { ...text, description: "One" })[1]).toBe("Description: One");
});

it("a published text with changes says so", () => {
  expect([
    standingText("draft", false),
    standingText("published", false),
    standingText("published", true),
  ]).toEqual(["Draft", "Published", "Published, with changes"]);
});
