import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  analyzeQuery,
  indexedText,
  isPart,
  MATCHING_VERSION,
  MAX_QUERY_LENGTH,
  MAX_QUERY_WORDS,
  type MatchKind,
  matchKind,
  nameTerms,
  nicknameClasses,
  normaliseName,
  normaliseText,
  phoneticCodes,
  type QueryWord,
  rankOf,
  tiersOf,
  typoVariants,
} from "./matching.ts";
import { foldWithOrigin, storable, wordsOf } from "./normalise.ts";
import { person } from "./testing/person.ts";

function match(q: string, document: ReturnType<typeof person>): MatchKind | undefined {
  const tiers = tiersOf(analyzeQuery(q), indexedText(document));
  return tiers && matchKind(tiers);
}

/** Any code points, but only a few, because each new block of Unicode takes a while to load. */
const anything = fc.string({ unit: "binary", maxLength: 8 });

describe("normalizing", () => {
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

  it("treats composed and decomposed accents alike", () => {
    expect(normaliseName("José")).toBe(normaliseName("Jose\u0301"));
  });

  it("reduces any text to lower-case ASCII words with single spaces, and is idempotent", () => {
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

  it("folds the same with and without tracking the origin", () => {
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

  it("has no phonetic code for text without letters", () => {
    expect([phoneticCodes("42"), phoneticCodes("a"), phoneticCodes("")]).toEqual([[], [], []]);
  });

  it("finds every single typo in a word of four letters or more", () => {
    const letter = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz");
    const word = fc.array(letter, { minLength: 4, maxLength: 14 }).map((l) => l.join(""));
    const shares = (a: string, b: string) =>
      typoVariants(a).some((slip) => typoVariants(b).includes(slip));
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

  it("allows two typos from eight letters on, and not below", () => {
    const shares = (a: string, b: string) =>
      typoVariants(a).some((slip) => typoVariants(b).includes(slip));
    expect(shares("anderson", "amdersom")).toBe(true);
    expect(shares("sanders", "samderz")).toBe(false);
  });

  it("finds any name on its own, exactly, in any case and order", () => {
    const name = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
      .filter((text) => normaliseName(text) !== "" && !text.includes("@"));
    fc.assert(
      fc.property(name, name, (first, last) => {
        const query = `${last} ${first}`;
        // Signs fold to words (an emoji to its name), and anything beyond these limits is not compared.
        const words = wordsOf(normaliseName(query));
        fc.pre(words.length <= MAX_QUERY_WORDS && words.join("").length <= MAX_QUERY_LENGTH);
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

  it("finds every part of a text as written", () => {
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
          const query = analyzeQuery(part);
          fc.pre(query.words.length > 0 && query.words.every(isPart));
          expect(
            tiersOf(query, indexedText(person("Qq", "Qq", { description: whole }))),
          ).toBeDefined();
        },
      ),
    );
  });

  it("finds nothing for signs only, and everything for an empty query", () => {
    for (const q of ["%", "_", "'", "\\", "***", "\u200f"]) {
      expect(match(q, report), q).toBeUndefined();
    }
    expect(analyzeQuery("  ").blank).toBe(true);
    expect(match("", report)).toBe("exact");
  });

  it("looks for the parts of an email address only as written", () => {
    expect(match("smyth@example.com", person("A", "Smith", { title: "example.com" }))).toBe(
      undefined,
    );
    expect(match("a@b.com", person("A", "B", { title: "a bcom" }))).toBe("text");
  });

  it("accepts any input, and reads a bounded part of it", () => {
    fc.assert(
      fc.property(anything, (q) => {
        const { words } = analyzeQuery(q);
        expect(words.length).toBeLessThanOrEqual(MAX_QUERY_WORDS);
        for (const word of words) expect(word.text).toMatch(/^[a-z0-9]+$/);
      }),
    );
    const long = analyzeQuery(`${"x".repeat(1_000_000)} y`);
    expect(long.words.map((word) => word.text.length)).toEqual([200]);
  });

  it.each([
    ["emoji that unfold to their names", "🫰".repeat(100)],
    ["ligatures that expand", "\ufdfa".repeat(200)],
    ["ideographs, which are one word", "王".repeat(200)],
    ["many words", Array.from({ length: 100 }, (_, n) => `word${n}`).join(" ")],
    ["words with most slips", Array.from("abcdefghijkl", (a) => a.repeat(16)).join(" ")],
  ])("looks for a bounded number of words, letters and terms of %s", (_, q) => {
    const { words } = analyzeQuery(q);
    expect(words.length).toBeGreaterThan(0);
    expect(words.length).toBeLessThanOrEqual(MAX_QUERY_WORDS);
    const sum = (of: (word: QueryWord) => number) => words.reduce((n, word) => n + of(word), 0);
    expect(sum((word) => word.text.length)).toBeLessThanOrEqual(MAX_QUERY_LENGTH);
    const terms = (word: QueryWord) =>
      [word.exact, word.nickname, word.phonetic, word.fuzzy, word.tokens].flat().length;
    expect(sum(terms)).toBeLessThanOrEqual(MAX_QUERY_WORDS * 160);
  });

  it("stores a bounded number of letters and terms of texts that grow when folded", () => {
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
      rankOf(tiersOf(analyzeQuery(q), indexedText(document)) ?? []);
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
      version: 3,
      digest: "cc49b56c018d2876",
    });
  });
});
