import { describe, expect, it } from "vitest";
import type { ShippedText } from "#content/shipped-text.ts";
import { DomainError } from "#contracts/domain-error.ts";
import { evolveContent } from "#contracts/events/content.ts";
import type { ContentEvent } from "#contracts/events/index.ts";
import { givenFor } from "#test-kit/decider.ts";
import { decideContent, type PreparedContentCommand } from "./content.decider.ts";

const moment = { now: "2026-11-24T10:00:00.000Z", newId: "n" };
const given = givenFor({ decide: decideContent, evolve: evolveContent, moment });

const words = { title: "Hello", description: "A post", body: "Some *text*" };
const content = { ...words, slug: "hello" };
const create = { type: "CreateContent", kind: "blog", slug: "hello", words } as const;
const created: ContentEvent = { type: "ContentCreated", data: { kind: "blog", content } };
const published: ContentEvent = { type: "ContentPublished", data: {} };
const deleted: ContentEvent = { type: "ContentDeleted", data: {} };
const edit = (revision: number, changes: object = { body: "Other" }) =>
  ({ type: "EditContent", revision, words: { ...words, ...changes } }) as const;
const edited = (changes: object = { body: "Other" }): ContentEvent => ({
  type: "ContentEdited",
  data: { content: { ...content, ...changes } },
});
const publish = (revision: number) => ({ type: "PublishContent", revision }) as const;

const terms: ShippedText = {
  id: "t",
  kind: "legal",
  text: { slug: "terms", title: "Terms", description: "What you agree to", body: "Be fair" },
  version: "2026-11-23",
  effective_date: "2026-11-23",
};
const shipped: ContentEvent = {
  type: "ContentShipped",
  data: {
    kind: "legal",
    version: "2026-11-23",
    effective_date: "2026-11-23",
    content: terms.text,
  },
};
const { slug: _, ...termsWords } = terms.text;

/** The refusal's problems by field. */
function problems(events: readonly ContentEvent[], command: PreparedContentCommand) {
  try {
    given(...events).when(command).events;
  } catch (error) {
    if (error instanceof DomainError) return error.fields;
    throw error;
  }
  throw new Error("it was not refused");
}

describe("a new text", () => {
  it("starts as a draft with its slug", () => {
    given().when(create).gives(created);
    expect(given(created).state).toMatchObject({ status: "draft", revision: 0, text: content });
  });

  it("gets no slug that another one has or had, including a shipped one", () => {
    given(created).when(create).isRefused("slug_taken");
    given(created, deleted).when(create).isRefused("slug_taken");
    given()
      .when({ ...create, kind: "faq", shipped: { ...terms, kind: "faq" } })
      .isRefused("slug_taken");
  });

  it.each(["terms", "admin", "rss"])("gets no slug that is reserved for the site: %s", (slug) => {
    for (const kind of ["blog", "page"] as const)
      expect(problems([], { ...create, kind, slug })).toHaveProperty("slug");
  });

  it("can't be a legal text", () => {
    given()
      .when({ ...create, kind: "legal" })
      .isRefused("legal_text");
  });

  it("refuses unknown values, and has an order only in the FAQ", () => {
    const wrong = (changes: object, kind: "blog" | "faq" = "blog") =>
      problems([], { ...create, kind, words: { ...words, ...changes } });
    expect(wrong({ body: "{{produkt}}" })).toEqual({ body: "Unknown placeholder {{produkt}}" });
    expect(wrong({ title: "  " })).toHaveProperty("title");
    expect(wrong({ order: 3 })).toHaveProperty("order");
    expect(wrong({}, "faq")).toHaveProperty("order");
  });
});

describe("concurrent changes", () => {
  it("are refused after the first one, whatever they are, and overwrite nothing", () => {
    const history = given(created, edited());
    for (const command of [
      edit(0, { body: "Mine" }),
      publish(0),
      { type: "UnpublishContent", revision: 0 } as const,
      { type: "DeleteContent", revision: 0 } as const,
      { type: "RestoreContent", revision: 0, version: 0, former: content } as const,
    ])
      history.when(command).isRefused("content_changed");
    history.when(edit(1, { body: "Mine" })).gives(edited({ body: "Mine" }));
  });

  it("are detected on a shipped text that someone else changed first", () => {
    const mine = { type: "EditContent", revision: -1, words: termsWords, shipped: terms } as const;
    given(shipped, edited()).when(mine).isRefused("content_changed");
    given(created).when(edit(-1)).isRefused("content_changed");
  });
});

describe("a draft", () => {
  it("is what was saved last, and saving it unchanged is a no-op", () => {
    given(created).when(edit(0)).gives(edited());
    given(created).when(edit(0, {})).gives();
  });

  it("is published once, as it is", () => {
    given(created).when(publish(0)).gives(published);
    given(created, published).when(publish(1)).gives();
    given(created, published, edited()).when(publish(2)).gives(published);
    const state = given(created, published, edited()).state;
    expect([state?.text?.body, state?.published?.text?.body]).toEqual(["Other", "Some *text*"]);
  });

  it("is not published without a body, or without the sentence for lists", () => {
    const empty = { type: "ContentEdited", data: { content: { ...content, body: " " } } } as const;
    expect(problems([created, empty], publish(1))).toHaveProperty("body");
    const bare = {
      type: "ContentEdited",
      data: { content: { ...content, description: "" } },
    } as const;
    expect(problems([created, bare], publish(1))).toHaveProperty("description");
  });

  it("can be restored to an earlier version", () => {
    const restore = { type: "RestoreContent", revision: 1, version: 0 } as const;
    const restored = { type: "ContentRestored", data: { revision: 0, content } } as const;
    given(created, edited())
      .when({ ...restore, former: content })
      .gives(restored);
    given(created, edited()).when(restore).isRefused("not_found");
    given(created)
      .when({ ...restore, revision: 0, former: content })
      .gives();
  });
});

describe("a public text", () => {
  it("can be unpublished and deleted, after which nothing can be changed", () => {
    const unpublish = { type: "UnpublishContent", revision: 1 } as const;
    given(created, published).when(unpublish).gives({ type: "ContentUnpublished", data: {} });
    given(created)
      .when({ ...unpublish, revision: 0 })
      .gives();
    given(created, published).when({ type: "DeleteContent", revision: 1 }).gives(deleted);
    given(created, deleted).when(edit(1)).isRefused("content_deleted");
    given().when(edit(0)).isRefused("not_found");
  });
});

describe("a text that ships with the software", () => {
  const change = { title: "Our terms" };
  const first = {
    type: "EditContent",
    revision: -1,
    words: { ...termsWords, ...change },
    shipped: terms,
  } as const;

  it("is added to the log with its first change, as its first version", () => {
    const changed = { type: "ContentEdited", data: { content: { ...terms.text, ...change } } };
    given()
      .when(first)
      .gives(shipped, changed as ContentEvent);
  });

  it("is not added to the log by a no-op", () => {
    given()
      .when({ ...first, words: termsWords })
      .gives();
    given()
      .when({ ...publish(-1), shipped: terms })
      .gives();
  });

  it("is always there if it is legal: it can't be unpublished or deleted", () => {
    for (const type of ["UnpublishContent", "DeleteContent"] as const)
      given().when({ type, revision: -1, shipped: terms }).isRefused("legal_text");
  });

  it("gets a version with each publication, even the second on the same day", () => {
    const next = (...events: ContentEvent[]) =>
      given(shipped, ...events).when(publish(events.length)).events[0]?.data;
    const one = { version: "2026-11-24", effective_date: "2026-11-24" };
    const two = { version: "2026-11-24.2", effective_date: "2026-11-24" };
    const publishedAs = (data: object) => ({ type: "ContentPublished", data }) as ContentEvent;
    expect(next(edited())).toEqual(one);
    expect(next(edited(), publishedAs(one), edited({ body: "B" }))).toEqual(two);
    expect(next(edited(), publishedAs(two), edited({ body: "B" }))).toMatchObject({
      version: "2026-11-24.3",
    });
  });
});
