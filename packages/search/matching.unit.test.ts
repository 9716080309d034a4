import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  analyseQuery,
  Excerpts,
  highlight,
  indexedText,
  isPart,
  MATCHING_VERSION,
  MAX_QUERY_LENGTH,
  MAX_QUERY_WORDS,
  type MatchKind,
  matchKind,
  namedWords,
  nameTerms,
  nicknameClasses,
  normaliseName,
  normaliseText,
  phoneticCodes,
  type QueryWord,
  rankOf,
  type Segment,
  slips,
  tiersOf,
} from "./matching.ts";
import { foldWithOrigin, storable } from "./normalise.ts";

const person = (first_name: string, last_name: string, texts = {}) => ({
  first_name,
  last_name,
  title: "",
  description: "",
  city: "",
  state: "TX",
  ...texts,
});

function match(q: string, document: ReturnType<typeof person>): MatchKind | undefined {
  const tiers = tiersOf(analyseQuery(q), indexedText(document));
  return tiers && matchKind(tiers);
}

/** Any code points at all; few of them, as each new block of Unicode takes a while to load. */
const anything = fc.string({ unit: "binary", maxLength: 8 });

/** The segments with what is marked in brackets. */
const shown = (segments: readonly Segment[] | undefined) =>
  segments?.map((s) => (s.hit ? `[${s.text}]` : s.text)).join("");

function marked(q: string, document: ReturnType<typeof person>) {
  const query = analyseQuery(q);
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

describe("normalising", () => {
  it.each([
    ["José", "jose"],
    ["MÜLLER", "muller"],
    ["O’Brien", "obrien"],
    ["O'Brien", "obrien"],
    ["J.R.", "jr"],
    ["  Mary-Ann  Smith ", "mary ann smith"],
    ["Łukasz", "lukasz"],
    ["Иван", "ivan"],
    ["王小明", "wangxiaoming"],
    ["Straße", "strasse"],
    ["ﬁne", "fine"],
    ["a_b%c\\d", "a b c d"],
    ["!!!", ""],
    ["", ""],
  ])("folds %j to %j", (name, folded) => {
    expect(normaliseName(name)).toBe(folded);
  });

  it("takes composed and decomposed accents for the same", () => {
    expect(normaliseName("José")).toBe(normaliseName("Jose\u0301"));
  });

  it("leaves lower-case ASCII words with single spaces of any text, and is idempotent", () => {
    fc.assert(
      fc.property(anything, (text) => {
        const folded = normaliseText(text);
        expect(folded).toMatch(/^(?:[a-z0-9]+(?: [a-z0-9]+)*)?$/);
        expect(normaliseText(folded)).toBe(folded);
      }),
    );
  });

  it("makes any text storable: no NUL, no lone surrogate", () => {
    expect(storable("a\0b\ud800")).toBe("ab\ufffd");
  });

  it("keeps the way back: what is folded with its origin is what is folded without", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (raw) => {
        const text = storable(raw);
        const { folded, starts, ends } = foldWithOrigin(text);
        expect(folded.replace(/ +/g, " ").trim()).toBe(normaliseText(text));
        expect([starts.length, ends.length]).toEqual([folded.length, folded.length]);
        expect(ends.every((end, i) => end > (starts[i] ?? end) && end <= text.length)).toBe(true);
      }),
    );
  });
});

describe("ways to match a name", () => {
  it.each([
    ["John Smith", "John", "Smith", "exact"],
    ["smith JOHN", "John", "Smith", "exact"],
    ["jose", "José", "García", "exact"],
    ["García", "Jose", "Garcia", "exact"],
    ["delacruz", "Maria", "De La Cruz", "exact"],
    ["maryann", "Mary-Ann", "Lee", "exact"],
    ["obrien", "Pat", "O'Brien", "exact"],
    ["Bob Smith", "Robert", "Smith", "nickname"],
    ["Robert", "Bob", "Smith", "nickname"],
    ["Liz", "Elizabeth", "Smith", "nickname"],
    ["Bobby", "Rob", "Smith", "nickname"],
    ["John Smyth", "John", "Smith", "phonetic"],
    ["Maier", "Ann", "Meyer", "phonetic"],
    ["Stephen", "Steven", "Ray", "nickname"],
    ["Filip", "Phillip", "Ray", "nickname"],
    ["Schmidt", "Ann", "Schmitt", "phonetic"],
    ["Schmidt", "Ann", "Smith", "phonetic"],
    ["Smith", "Ann", "Schmidt", "phonetic"],
    ["Rodrigues", "Ann", "Rodriguez", "phonetic"],
    ["Smtih", "John", "Smith", "fuzzy"],
    ["Smit", "John", "Smith", "text"],
    ["Johm", "John", "Smith", "fuzzy"],
    ["Andreson", "Ann", "Anderson", "phonetic"],
    ["Hernanbez", "Ann", "Hernandez", "fuzzy"],
    ["Schwarzeneger", "Arnold", "Schwarzenegger", "phonetic"],
    ["Wiliamsn", "Ann", "Williams", "fuzzy"],
    ["mit", "John", "Smith", "text"],
  ])("%j finds %s %s: %s", (q, first, last, kind) => {
    expect(match(q, person(first, last))).toBe(kind);
  });

  it.each([
    ["Smith", "Ann", "Jones"],
    ["Jane", "John", "Smith"],
    ["Cruz", "Ann", "Garcia"],
    ["Sam", "Tom", "Lee"],
    ["John", "Ann", "Jack"],
    ["John Jones", "John", "Smith"],
    ["Hernandez", "Ann", "Henderson"],
  ])("%j does not find %s %s", (q, first, last) => {
    expect(match(q, person(first, last))).toBeUndefined();
  });

  it("knows nicknames in several classes without joining the classes", () => {
    expect(nicknameClasses("bob")).toEqual(["robert"]);
    expect(nicknameClasses("alex")).toEqual(expect.arrayContaining(["alexander", "alexandra"]));
    expect(nicknameClasses("alexander")).not.toContain("alexandra");
    expect(nicknameClasses("constructor")).toEqual([]);
  });

  it("has no phonetic code for what is not written in letters", () => {
    expect([phoneticCodes("42"), phoneticCodes("a"), phoneticCodes("")]).toEqual([[], [], []]);
  });

  it("finds every single slip in a word of four letters or more", () => {
    const letter = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz");
    const word = fc.array(letter, { minLength: 4, maxLength: 14 }).map((l) => l.join(""));
    const shares = (a: string, b: string) => slips(a).some((slip) => slips(b).includes(slip));
    fc.assert(
      fc.property(word, fc.nat(), letter, (name, where, l) => {
        const at = where % name.length;
        const missing = name.slice(0, at) + name.slice(at + 1);
        const extra = name.slice(0, at) + l + name.slice(at);
        const wrong = name.slice(0, at) + l + name.slice(at + 1);
        const swapped =
          name.slice(0, at) +
          name
            .slice(at, at + 2)
            .split("")
            .reverse()
            .join("") +
          name.slice(at + 2);
        for (const typo of [missing, extra, wrong, swapped]) {
          expect(shares(name, typo), `${name} and ${typo}`).toBe(true);
          expect(shares(typo, name)).toBe(true);
        }
      }),
    );
  });

  it("allows two slips from eight letters on, and not below", () => {
    const shares = (a: string, b: string) => slips(a).some((slip) => slips(b).includes(slip));
    expect(shares("anderson", "amdersom")).toBe(true);
    expect(shares("sanders", "samderz")).toBe(false);
  });

  it("finds any name by itself, exactly, in any case and order", () => {
    const name = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
      .filter((text) => normaliseName(text) !== "" && !text.includes("@"));
    fc.assert(
      fc.property(name, name, (first, last) => {
        const query = `${last} ${first}`;
        const words = analyseQuery(query).words.length;
        fc.pre(words < MAX_QUERY_WORDS && query.length <= 200);
        expect(match(query, person(first, last))).toBe("exact");
      }),
    );
  });
});

describe("matching text", () => {
  const report = person("Ann", "Lee", {
    title: "Laptop never paid",
    description: "Ordered a café machine, shipped to San José.",
    city: "Austin",
  });

  it.each(["laptop", "APTO", "cafe", "josé", "ust", "tx", "laptop austin", "ann machine tx"])(
    "%j is found",
    (q) => {
      expect(match(q, report)).toBe("text");
    },
  );

  it.each(["desktop", "laptop denver", "t x", "ny"])("%j is not found", (q) => {
    expect(match(q, report)).toBeUndefined();
  });

  it("finds every part of a text, as it is written", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 60 }),
        fc.nat(),
        fc.nat(),
        (description, a, b) => {
          const whole = storable(description);
          const characters = [...whole];
          const from = a % (characters.length + 1);
          const part = characters.slice(from, from + 1 + (b % 40)).join("");
          const query = analyseQuery(part);
          fc.pre(query.words.length > 0 && query.words.every(isPart));
          expect(
            tiersOf(query, indexedText(person("Qq", "Qq", { description: whole }))),
          ).toBeDefined();
        },
      ),
    );
  });

  it("finds nothing for signs alone, and everything for nothing", () => {
    for (const q of ["%", "_", "'", "\\", "***", "\u200f"]) {
      expect(match(q, report), q).toBeUndefined();
    }
    expect(analyseQuery("  ").blank).toBe(true);
    expect(match("", report)).toBe("exact");
  });

  it("looks for the parts of an address as they are written only", () => {
    expect(match("smyth@example.com", person("A", "Smith", { title: "example.com" }))).toBe(
      undefined,
    );
    expect(match("a@b.com", person("A", "B", { title: "a bcom" }))).toBe("text");
  });

  it("takes any input, and a bounded part of it", () => {
    fc.assert(
      fc.property(anything, (q) => {
        const { words } = analyseQuery(q);
        expect(words.length).toBeLessThanOrEqual(MAX_QUERY_WORDS);
        for (const word of words) expect(word.text).toMatch(/^[a-z0-9]+$/);
      }),
    );
    const long = analyseQuery(`${"x".repeat(1_000_000)} y`);
    expect(long.words.map((word) => word.text.length)).toEqual([200]);
  });

  it.each([
    ["emoji that unfold to their names", "🫰".repeat(100)],
    ["ligatures that unfold", "\ufdfa".repeat(200)],
    ["ideographs, which are one word", "王".repeat(200)],
    ["many words", Array.from({ length: 100 }, (_, n) => `word${n}`).join(" ")],
    ["words with most slips", Array.from("abcdefghijkl", (a) => a.repeat(16)).join(" ")],
  ])("looks for a bounded number of words, letters and terms of %s", (_, q) => {
    const { words } = analyseQuery(q);
    expect(words.length).toBeGreaterThan(0);
    expect(words.length).toBeLessThanOrEqual(MAX_QUERY_WORDS);
    const sum = (of: (word: QueryWord) => number) => words.reduce((n, word) => n + of(word), 0);
    expect(sum((word) => word.text.length)).toBeLessThanOrEqual(MAX_QUERY_LENGTH);
    const terms = (word: QueryWord) =>
      [word.exact, word.nickname, word.phonetic, word.fuzzy, word.tokens].flat().length;
    expect(sum(terms)).toBeLessThanOrEqual(MAX_QUERY_WORDS * 160);
  });

  it("stores a bounded number of letters and terms of texts that unfold", () => {
    for (const text of ["🫰".repeat(5_000), "\ufdfa".repeat(10_000), "王".repeat(10_000)]) {
      const name = text.slice(0, 100);
      const stored = indexedText(
        person(name, name, { title: text.slice(0, 200), description: text, city: name }),
      );
      expect(stored.search_text.length).toBeLessThanOrEqual(4 * 40_000);
      expect(stored.terms.length).toBeLessThanOrEqual(2 * 13 * 160);
    }
  });

  it.each(["tv", "2", "a tv", "j lamp", "dr j smith", "js", "d"])(
    "finds short words as whole words and initials: %j",
    (q) => {
      const found = person("John", "Smith", { title: "TV, lamp (a 2 D one)", city: "Dr. JS" });
      const other = person("Ann", "Lee", { title: "dvds, 22 tvs, mjs, adr", state: "NY" });
      expect([match(q, found), match(q, other)]).toEqual(["text", undefined]);
    },
  );
});

describe("ranking", () => {
  it("puts exact before nickname, sound, parts, text and typos, whatever else matches", () => {
    const rank = (q: string, document: ReturnType<typeof person>) =>
      rankOf(tiersOf(analyseQuery(q), indexedText(document)) ?? []);
    const ranks = [
      person("Robert", "Smith"),
      person("Bob", "Smith"),
      person("Robert", "Smyth"),
      person("Robert", "Smithson"),
      person("Robert", "Jones", { title: "sold by Smith" }),
      person("Robert", "Smtih"),
      person("Bob", "Smtih"),
    ].map((document) => rank("robert smith", document));
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    expect(new Set(ranks).size).toBe(ranks.length);
  });
});

describe("highlighting", () => {
  it("marks words as they are written, accents and all, and inside words", () => {
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

  it("marks what is alike in the name, and not what is merely alike when it stands there exactly", () => {
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

  it("marks the beginning of a long text, and shows all of it", () => {
    const description = `${"lamp ".repeat(Excerpts.TEXT / 5)}lamp and more`;
    const marks = marked("lamp", person("Q", "Q", { description })).description ?? "";
    expect(marks.match(/\[lamp\]/g)).toHaveLength(Excerpts.TEXT / 5);
    expect(marks.replaceAll(/[[\]]/g, "")).toBe(description);
  });

  it("cuts no character in two where the marks end", () => {
    for (const character of ["😀", "e\u0301\u0302", "👩🏽‍🚒"]) {
      for (let before = Excerpts.TEXT - 8; before <= Excerpts.TEXT; before += 1) {
        const title = `${"x".repeat(before)}${character.repeat(4)}`;
        for (const q of ["xxx", "firefighter", "grin", "eee"]) {
          const query = analyseQuery(q);
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
    ["ligatures that unfold", "\ufdfa".repeat(10_000), "sla"],
    ["marks upon marks", `a${"\u0301".repeat(9_999)}`, "aaa a"],
  ])("looks at a bounded number of letters of a page of %s", (_, text, q) => {
    const query = analyseQuery(q);
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

  it("joins what overlaps", () => {
    const title = "abcdef";
    expect(marked("abcd cdef", person("Q", "Q", { title })).title).toBe("[abcdef]");
  });

  it("cuts no text, loses none, and marks something of whatever is found", () => {
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 });
    const join = (segments: readonly Segment[] = []) => segments.map((s) => s.text).join("");
    fc.assert(
      fc.property(text, text, text, fc.nat(), fc.nat(), (first, last, title, where, length) => {
        const texts = [first, last, title].map(storable) as [string, string, string];
        const document = person(texts[0], texts[1], { title: texts[2], state: "" });
        const characters = [...storable(`${first}${title}`)];
        const from = where % characters.length;
        const query = analyseQuery(characters.slice(from, from + 1 + (length % 9)).join(""));
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

describe("the version of the matching", () => {
  it("changes whenever what an index stores changes", () => {
    const names = ["John", "Mary-Ann", "José", "Schwarzenegger", "O'Brien", "王小明", "Xu", "Jean"];
    const stored = names.flatMap((a) => names.map((b) => indexedText(person(a, b, { title: a }))));
    const classes = "abcdefghijklmnopqrstuvwxyz"
      .split("")
      .flatMap((a) => nameTerms(`${a}ob ${a}im ${a}ick ${a}ary ${a}en ${a}on ${a}at`, ""));
    const digest = createHash("sha256")
      .update(JSON.stringify([stored, classes]))
      .digest("hex");
    expect({ version: MATCHING_VERSION, digest: digest.slice(0, 16) }).toEqual({
      version: 2,
      digest: "cc49b56c018d2876",
    });
  });
});
