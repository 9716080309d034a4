import fc from "fast-check";
import { expect, it } from "vitest";
import { analyzeQuery, indexedText, matchKind, rankOf, tiersOf } from "../matching.ts";
import type { SearchDocument, SearchIndex } from "../port.ts";
import { document, fill } from "./documents.ts";

const FIRST = ["Robert", "Bob", "José", "Jon", "John", "Mary-Ann", "Li", "Katherine", "Robbert"];
const LAST = ["Smith", "Smyth", "Smtih", "Schmidt", "De La Cruz", "O'Brien", "Müller", "Johnson"];
const TEXTS = ["", "Lamp", "John's lamp", "Smith & Co.", "camera 100%", "José", "in Johnstown"];
const WORDS = [
  ...[
    "bob",
    "robert",
    "smith",
    "smit",
    "jon",
    "jhon",
    "lamp",
    "am",
    "li",
    "tx",
    "o",
    "j",
    "la",
    "co",
    "cruz",
  ],
  ...["josé", "delacruz", "muller", "mueller", "cathryn", "100", "mary", "obrien", "john@x.com"],
];

/** The expected hits of a query by relevance, computed from the matching itself: id and match. */
export function expectedHits(docs: readonly SearchDocument[], q: string): string[] {
  const query = analyzeQuery(q);
  return docs
    .flatMap((doc) => {
      const tiers = tiersOf(query, indexedText(doc));
      return tiers ? [{ doc, rank: rankOf(tiers), match: matchKind(tiers) }] : [];
    })
    .sort((a, b) => a.rank - b.rank || (a.doc.id < b.doc.id ? 1 : -1))
    .map(({ doc, match }) => `${doc.id} ${match}`);
}

/**
 * An engine only looks up what the matching computes. For any documents and any query it finds what the matching
 * finds, for the same reason and in the same order.
 */
export function modelContract(index: () => SearchIndex): void {
  const documents = fc
    .array(
      fc.record({
        first_name: fc.constantFrom(...FIRST),
        last_name: fc.constantFrom(...LAST),
        title: fc.constantFrom(...TEXTS),
        city: fc.constantFrom(...TEXTS),
        state: fc.constantFrom("TX", "LI"),
      }),
      { minLength: 1, maxLength: 30 },
    )
    .map((list) => list.map((differences, n) => document(n, differences)));
  const queries = fc.array(
    fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((w) => w.join(" ")),
    { minLength: 8, maxLength: 8 },
  );

  it("finds the same hits, for the same reason, in the same order", async () => {
    await fc.assert(
      fc.asyncProperty(documents, queries, async (docs, qs) => {
        await index().clear();
        await fill(index(), docs);
        for (const q of qs) {
          const { hits } = await index().search({ q, size: 50 });
          expect(
            hits.map((hit) => `${hit.id} ${hit.match}`),
            q,
          ).toEqual(expectedHits(docs, q));
        }
      }),
      { numRuns: 25 },
    );
  });
}
