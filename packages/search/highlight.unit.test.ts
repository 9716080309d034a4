import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  analyzeQuery,
  Excerpts,
  highlight,
  indexedText,
  namedWords,
  type Segment,
  tiersOf,
} from "./matching.ts";
import { storable } from "./normalise.ts";
import { person } from "./testing/person.ts";

/** The segments as one text, with marked parts in brackets. */
const shown = (segments: readonly Segment[] | undefined) =>
  segments?.map((s) => (s.hit ? `[${s.text}]` : s.text)).join("");

function marked(q: string, document: ReturnType<typeof person>) {
  const query = analyzeQuery(q);
  const tiers = tiersOf(query, indexedText(document));
  if (!tiers) throw new Error("no match");
  const marks = highlight(query, document, tiers);
  return {
    ...(marks.name && { name: shown(marks.name) }),
    ...(marks.title && { title: shown(marks.title) }),
    ...(marks.description && { description: shown(marks.description) }),
    ...(marks.city && { city: shown(marks.city) }),
  };
}

describe("highlighting", () => {
  it("marks words as written, with accents, and inside words", () => {
    const document = person("José", "García", {
      title: "Garcias laptop",
      description: "The GARCIA order",
      city: "San José",
    });
    expect(marked("garcia jose", document)).toEqual({
      name: "[José] [García]",
      title: "[Garcia]s laptop",
      description: "The [GARCIA] order",
      city: "San [José]",
    });
  });

  it.each([
    ["bob", "Robert", "Smith", "[Robert] Smith"],
    ["smyth", "John", "Smith", "John [Smith]"],
    ["smtih john", "John", "Smith", "[John] [Smith]"],
    ["obrien", "Pat", "O'Brien", "Pat [O'Brien]"],
    ["delacruz", "Maria", "De La Cruz", "Maria [De La Cruz]"],
    ["mit", "John", "Smith", "John S[mit]h"],
    ["john", "John", "Johnson", "[John] [John]son"],
    ["jack", "John", "Jackson", "[John] [Jack]son"],
  ])("%j marks %s %s as %j", (q, first, last, name) => {
    expect(marked(q, person(first, last)).name).toBe(name);
  });

  it("marks similar words in the name, unless there is an exact match", () => {
    expect(marked("jon", person("Jon", "John")).name).toBe("[Jon] John");
  });

  it("marks one or two letters as whole words, and one as the initial of a name", () => {
    expect(marked("a", person("A", "Lee", { title: "what a day" }))).toEqual({
      name: "[A] Lee",
      title: "what [a] day",
    });
    expect(marked("l", person("Qi", "Lee", { title: "call" }))).toEqual({ name: "Qi [L]ee" });
    expect(marked("tv", person("Qi", "Lee", { title: "A TV, 2 tvs" }))).toEqual({
      title: "A [TV], 2 tvs",
    });
  });

  it("marks only the beginning of a long text, and shows all of it", () => {
    const description = `${"lamp ".repeat(Excerpts.TEXT / 5)}lamp and more`;
    const marks = marked("lamp", person("Q", "Q", { description })).description ?? "";
    expect(marks.match(/\[lamp\]/g)).toHaveLength(Excerpts.TEXT / 5);
    expect(marks.replaceAll(/[[\]]/g, "")).toBe(description);
  });

  it("splits no character at the end of a mark", () => {
    for (const character of ["😀", "e\u0301\u0302", "👩🏽‍🚒"]) {
      for (let before = Excerpts.TEXT - 8; before <= Excerpts.TEXT; before += 1) {
        const title = `${"x".repeat(before)}${character.repeat(4)}`;
        for (const q of ["xxx", "firefighter", "grin", "eee"]) {
          const query = analyzeQuery(q);
          const { title: marks = [] } = highlight(query, person("Q", "Q", { title }), ["text"]);
          for (const { text } of marks) expect(text.isWellFormed()).toBe(true);
          for (const { text } of marks) expect(text).not.toMatch(/^\p{M}/u);
        }
      }
    }
  });

  it.each([
    ["long words", "x".repeat(10_000), "xxx xxxx xxxxx xxxxxx"],
    ["words of one letter", "a ".repeat(5_000), "a"],
    ["emoji that unfold to their names", "🫰".repeat(5_000), "hand finger thumb crossed"],
    ["ligatures that expand", "\ufdfa".repeat(10_000), "sla"],
    ["marks upon marks", `a${"\u0301".repeat(9_999)}`, "aaa a"],
  ])("searches a bounded number of letters on a page of %s", (_, text, q) => {
    const query = analyzeQuery(q);
    const document = person(text.slice(0, 100), text.slice(0, 100), {
      title: text.slice(0, 200),
      description: text,
      city: text.slice(0, 100),
    });
    const words = namedWords(document.first_name, document.last_name);
    const excerpts = new Excerpts();
    const tiers = query.words.map(() => "text" as const);
    let segments = 0;
    for (let hit = 0; hit < 200; hit += 1) {
      const marks = highlight(query, document, tiers, words, excerpts);
      for (const text of Object.values(marks)) segments += text.length;
    }
    expect(excerpts.letters).toBeLessThanOrEqual(Excerpts.PAGE);
    expect(segments).toBeLessThanOrEqual(Excerpts.PAGE);
  });

  it("joins overlapping marks", () => {
    const title = "abcdef";
    expect(marked("abcd cdef", person("Q", "Q", { title })).title).toBe("[abcdef]");
  });

  it("truncates no text, and marks something in every hit", () => {
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 });
    const join = (segments: readonly Segment[] = []) => segments.map((s) => s.text).join("");
    fc.assert(
      fc.property(text, text, text, fc.nat(), fc.nat(), (first, last, title, where, length) => {
        const texts = [first, last, title].map(storable) as [string, string, string];
        const document = person(texts[0], texts[1], { title: texts[2], state: "" });
        const characters = [...storable(`${first}${title}`)];
        const from = where % characters.length;
        const query = analyzeQuery(characters.slice(from, from + 1 + (length % 9)).join(""));
        const tiers = tiersOf(query, indexedText(document));
        fc.pre(tiers !== undefined && query.words.length > 0);
        const marks = highlight(query, document, tiers);
        if (marks.name) expect(join(marks.name)).toBe(`${storable(first)} ${storable(last)}`);
        if (marks.title) expect(join(marks.title)).toBe(storable(title));
        const shown = [marks.name, marks.title].filter((m) => m !== undefined);
        for (const segments of shown) {
          expect(segments.some((s) => s.hit)).toBe(true);
          expect(segments.every((s) => s.text !== "" && s.text.isWellFormed())).toBe(true);
        }
        expect(shown.length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });
});
