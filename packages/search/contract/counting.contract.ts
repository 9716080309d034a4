import { expect, it } from "vitest";
import { type SearchIndex, SORTS } from "../port.ts";
import { allPages, at, document, fill, ids, remove, several, TEST_COUNT_CAP } from "./documents.ts";
import { expectedHits } from "./model.contract.ts";

/** Totals are exact up to a cap, and only the total depends on the cap. */
export function countingContract(index: () => SearchIndex): void {
  it("counts exactly up to the cap, and reports when there are more", async () => {
    await fill(index(), several(TEST_COUNT_CAP, { title: "Lamp" }));
    const exact = { total: TEST_COUNT_CAP, totalCapped: false };
    expect(await index().search({ q: "lamp", size: 9 })).toMatchObject(exact);
    expect(await index().search({ size: 9 })).toMatchObject(exact);

    await fill(index(), several(TEST_COUNT_CAP + 1, { title: "Lamp" }));
    const capped = { total: TEST_COUNT_CAP, totalCapped: true, pages: 3 };
    for (const sort of SORTS) {
      expect(await index().search({ q: "lamp", sort, size: 9 })).toMatchObject(capped);
      expect(await index().search({ sort, size: 9 })).toMatchObject(capped);
    }
    await index().apply([remove(99, document(0))], at(99));
    expect(await index().search({ q: "lamp", size: 9 })).toMatchObject(exact);
  });

  it("counts only what passes the filters", async () => {
    await fill(index(), [
      ...several(TEST_COUNT_CAP + 5),
      ...[100, 101].map((n) => document(n, { state: "TX" })),
    ]);
    expect(await index().search({ state: "TX", size: 1 })).toMatchObject({
      total: 2,
      totalCapped: false,
      pages: 2,
    });
    expect(await index().search({ q: "nothing of that", size: 1 })).toMatchObject({ total: 0 });
  });

  it("walks past the cap, in the same order as below it", async () => {
    const names = ["Smith", "Smyth", "Smtih", "Jones", "Smithson"];
    const docs = Array.from({ length: TEST_COUNT_CAP * 2 }, (_, n) =>
      document(n, {
        first_name: n % 7 === 0 ? "Bob" : "Robert",
        last_name: names[n % 5] as string,
        title: n % 2 === 0 ? "Lamp for Smith" : "Lamp",
        blind: n === 11 ? { email: ["hash"] } : {},
        amount_cents: (n * 7) % 11,
      }),
    );
    await fill(index(), docs);
    for (const query of [
      { q: "robert smith", emailBlind: "hash" },
      { q: "rob lamp" },
      { q: "r lamp" },
      { q: "smith", state: "CO" },
      {},
    ]) {
      for (const sort of SORTS) {
        const whole = await ids(index(), { ...query, sort });
        expect(whole.length).toBeGreaterThan(TEST_COUNT_CAP);
        const pages = await allPages(index(), { ...query, sort, size: 9 });
        expect(pages.flat(), JSON.stringify([query, sort])).toEqual(whole);
        const { hits } = await index().search({ ...query, sort, size: 9, offset: 12 });
        expect(hits.map((hit) => hit.id)).toEqual(whole.slice(12, 21));
      }
    }
  });

  it("ranks past the cap as the matching does", async () => {
    const docs = Array.from({ length: TEST_COUNT_CAP * 2 }, (_, n) =>
      document(n, {
        first_name: ["Robert", "Bob", "Robbert", "Ann"][n % 4] as string,
        last_name: ["Smith", "Smyth", "Smtih", "Ray", "Smithson"][n % 5] as string,
        title: n % 3 === 0 ? "For Smith" : "For Robert Smith",
      }),
    );
    await fill(index(), docs);
    for (const q of ["robert", "smith", "rob smith", "for r", "s", "for rob"]) {
      const { hits, totalCapped } = await index().search({ q, size: 50 });
      expect(totalCapped, q).toBe(true);
      expect(
        hits.map((hit) => `${hit.id} ${hit.match}`),
        q,
      ).toEqual(expectedHits(docs, q));
    }
  });

  it("continues page numbers past the cap", async () => {
    await fill(index(), several(TEST_COUNT_CAP * 2));
    let result = await index().search({ size: 9 });
    while (result.next) result = await index().search({ size: 9, page: result.next });
    expect([result.page, result.pages, result.total]).toEqual([5, 5, TEST_COUNT_CAP]);
  });
}
