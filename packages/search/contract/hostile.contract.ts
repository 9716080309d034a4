import { expect, it } from "vitest";
import { Excerpts } from "../matching.ts";
import type { SearchIndex } from "../port.ts";
import { document, fill, several } from "./documents.ts";
import { expectedHits } from "./model.contract.ts";

/** Queries that demand as much work as a query can. */
const QUERIES: readonly (readonly [string, string])[] = [
  ["a letter", "e"],
  ["two letters", "th"],
  ["every letter", Array.from("abcdefghijklmnopqrstuvwxyz").join(" ")],
  ["words that most texts hold", "the and for ing ent ion her hat tha ere ate his"],
  ["words with most slips", Array.from("bcdfghjklmnp", (a) => `${a}ab`.repeat(5)).join(" ")],
  ["a hundred words", Array.from({ length: 100 }, (_, n) => `w${n}`).join(" ")],
  ["a word of 10,000 letters", "lamp".repeat(2_500)],
  ["ligatures that expand", "\ufdfa".repeat(200)],
  ["emoji that unfold to their names", "🫰".repeat(100)],
  ["ideographs, which are one word", "王".repeat(200)],
  ["marks upon marks", `e${"\u0301".repeat(199)}`],
  ["lone surrogates", "\ud800 \udc00\ud800 x\udfff"],
  ["signs", "%_%_ \\ ' \" ( | & ! :* <-> {} [] ~ ^"],
  ["parts of an address", "a@b@c@d@e@f@g@h@i@j@k@l@m@n@o@p"],
  ["white space of all kinds", "\u00a0\u2003\u3000\u200b\t\n lamp \u2028"],
];

/** Texts of 10,000 characters. */
const LONG: readonly (readonly [string, string])[] = [
  ["words that overlap themselves", "x".repeat(10_000)],
  ["one-letter words", "a ".repeat(5_000)],
  ["emoji", "🫰".repeat(5_000)],
  ["ligatures", "\ufdfa".repeat(10_000)],
  ["marks upon marks", `a${"\u0301".repeat(9_999)}`],
];

/** Queries and documents that demand too much are answered correctly, and within bounds. */
export function hostileContract(index: () => SearchIndex): void {
  it.each(QUERIES)("answers a query of %s like the reference matching", async (_, q) => {
    const docs = [
      document(0, { title: "The lamp and the other things that he sent for his station" }),
      document(1, { first_name: "Eve", last_name: "Thorne", description: "e, x; th" }),
      document(2, { title: "lamp".repeat(50), description: "lamp".repeat(2_500) }),
      document(3, { first_name: "王".repeat(100), last_name: "\ufdfa".repeat(100) }),
      document(4, { title: "🫰".repeat(100), city: "é", description: "\ufdfa".repeat(10_000) }),
      document(5, {
        first_name: "A B C D E F G",
        last_name: "H I J K L M N O P Q R S T U V W X Y",
      }),
      document(6, { last_name: "Babbabbabbabbabc", description: "a b c d e f g h i j k l" }),
    ];
    await fill(index(), docs);
    const { hits } = await index().search({ q, size: 50 });
    expect(hits.map((hit) => `${hit.id} ${hit.match}`)).toEqual(expectedHits(docs, q));
  });

  it("finds words of one or two letters as whole words and initials, never inside words", async () => {
    await fill(index(), [
      document(1, { first_name: "John", last_name: "Smith", title: "TV and 2 lamps" }),
      document(2, { first_name: "Ann", last_name: "Li", title: "DVDs, 22 lamps", state: "TX" }),
    ]);
    const found = async (q: string) => (await index().search({ q, size: 9 })).hits.map((h) => h.id);
    for (const q of ["tv", "2", "2 lamps", "j smith", "s", "and 2 tv"]) {
      expect(await found(q), q).toEqual([document(1).id]);
    }
    for (const q of ["li", "a l", "tx", "ann 22"]) {
      expect(await found(q), q).toEqual([document(2).id]);
    }
    for (const q of ["oh", "vd", "h", "lamps m", "jo"]) expect(await found(q), q).toEqual([]);
  });

  it.each(LONG)("marks a bounded part of fifty long texts of %s", async (_, description) => {
    await fill(index(), several(50, { title: "Lamp", description, first_name: "Axxx" }));
    for (const q of ["lamp xxx a", "lamp", "a", "a sla", "a finger", "xxx xxxx xxxxx xxxxxx"]) {
      const { hits } = await index().search({ q, size: 50 });
      const texts = hits.flatMap((hit) => Object.values(hit.highlights));
      const segments = texts.reduce((sum, text) => sum + text.length, 0);
      expect(segments, q).toBeLessThanOrEqual(Excerpts.PAGE);
      for (const { highlights } of hits) {
        const whole = highlights.description?.map(({ text }) => text).join("");
        expect([undefined, description.normalize("NFC")], q).toContain(whole);
      }
    }
  });
}
