import { beforeEach, expect, it } from "vitest";
import { InvalidSearch, type SearchIndex, type SearchQuery } from "../port.ts";
import { document, fill, ids } from "./documents.ts";

/** Filters, alone and together, and the five sorts. */
export function filteringContract(index: () => SearchIndex): void {
  const numbers = async (query: Partial<SearchQuery>) =>
    (await ids(index(), query)).map((id) => Number(id.slice(4)));

  beforeEach(() =>
    fill(index(), [
      document(1, { state: "TX", amount_cents: 5_000, reasons: ["nsf"], title: "Lamp" }),
      document(2, { state: "TX", amount_cents: 10_000, reasons: ["fraudulent", "duplicate"] }),
      document(3, { state: "NSW", amount_cents: 10_001, reasons: ["other"], title: "Lamp" }),
      document(4, { state: "CA", amount_cents: 0, reasons: [] }),
      document(5, { state: "TX", amount_cents: 999_999_999_999, reasons: ["duplicate"] }),
    ]),
  );

  it("filters by the whole code of a state, in any case", async () => {
    expect(await numbers({ state: "TX" })).toEqual([5, 2, 1]);
    expect(await numbers({ state: "nsw" })).toEqual([3]);
    expect(await numbers({ state: "NS" })).toEqual([]);
    expect(await numbers({ state: "%" })).toEqual([]);
  });

  it("finds a region that has no code by each of its words", async () => {
    await fill(index(), [document(6, { state: "Greater Manchester", country: "UK" })]);
    expect(await numbers({ q: "manchester" })).toEqual([6]);
    expect(await numbers({ q: "zyx greater" })).toEqual([6]);
  });

  it("filters by country, in any case, even if a state has the same code", async () => {
    await fill(index(), [
      document(6, { state: "WA", country: "AU" }),
      document(7, { state: "WA", title: "Lamp" }),
      document(8, { state: "ON", country: "CA", title: "CA US AU" }),
    ]);
    expect(await numbers({ country: "AU" })).toEqual([6]);
    expect(await numbers({ country: "ca" })).toEqual([8]);
    expect(await numbers({ country: "UK" })).toEqual([]);
    expect(await numbers({ country: "US", state: "WA" })).toEqual([7]);
    expect(await numbers({ country: "AU", state: "wa" })).toEqual([6]);
    expect(await numbers({ country: "US", q: "lamp", minCents: 10_000 })).toEqual([7, 3]);
    expect(await numbers({ country: "%" })).toEqual([]);
  });

  it("filters by amount, both bounds included", async () => {
    expect(await numbers({ minCents: 10_000 })).toEqual([5, 3, 2]);
    expect(await numbers({ maxCents: 10_000 })).toEqual([4, 2, 1]);
    expect(await numbers({ minCents: 10_000, maxCents: 10_000 })).toEqual([2]);
    expect(await numbers({ minCents: 0, maxCents: 0 })).toEqual([4]);
    expect(await numbers({ minCents: 2, maxCents: 1 })).toEqual([]);
  });

  it("filters by reasons: one in common is enough", async () => {
    expect(await numbers({ reasonCodes: ["duplicate"] })).toEqual([5, 2]);
    expect(await numbers({ reasonCodes: ["nsf", "other"] })).toEqual([3, 1]);
    expect(await numbers({ reasonCodes: ["dup"] })).toEqual([]);
    expect(await numbers({ reasonCodes: [] })).toEqual([]);
  });

  it("combines all filters with the text", async () => {
    const all = { q: "lamp", state: "tx", minCents: 1, maxCents: 9_999, reasonCodes: ["nsf"] };
    expect(await numbers(all)).toEqual([1]);
    expect(await numbers({ ...all, q: "lamps" })).toEqual([]);
    expect(await numbers({ ...all, state: "ca" })).toEqual([]);
    expect(await numbers({ ...all, minCents: 5_001 })).toEqual([]);
    expect(await numbers({ ...all, maxCents: 4_999 })).toEqual([]);
    expect(await numbers({ ...all, reasonCodes: ["other"] })).toEqual([]);
  });

  it("filters hits by blind index too", async () => {
    await fill(index(), [document(6, { state: "TX", blind: { email: ["hash"] } })]);
    expect(await numbers({ emailBlind: "hash", state: "TX" })).toEqual([6]);
    expect(await numbers({ q: "lamp", emailBlind: "hash", state: "NSW" })).toEqual([3]);
  });

  it("sorts by submission time and by amount, breaking ties by time and then by ID", async () => {
    await fill(index(), [
      document(6, { amount_cents: 5_000 }),
      document(7, { amount_cents: 5_000, submitted_at: document(6).submitted_at }),
    ]);
    expect(await numbers({ sort: "newest" })).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(await numbers({ sort: "relevance" })).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(await numbers({ sort: "oldest" })).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await numbers({ sort: "amount_high" })).toEqual([5, 3, 2, 7, 6, 1, 4]);
    expect(await numbers({ sort: "amount_low" })).toEqual([4, 1, 6, 7, 2, 3, 5]);
  });

  it("sorts matches by the requested order, whatever their rank", async () => {
    await fill(index(), [document(6, { title: "Lamb", last_name: "Lamp", amount_cents: 1 })]);
    expect(await numbers({ q: "lamp" })).toEqual([6, 3, 1]);
    expect(await numbers({ q: "lamp", sort: "oldest" })).toEqual([1, 3, 6]);
    expect(await numbers({ q: "lamp", sort: "amount_low" })).toEqual([6, 1, 3]);
  });

  it.each([
    { size: 0 },
    { size: 201 },
    { size: 1.5 },
    { size: 9, offset: -1 },
    { size: 9, offset: 0.5 },
    { size: 9, offset: 9, page: "x" },
    { size: 9, minCents: Number.NaN },
    { size: 9, maxCents: 0.5 },
    { size: 9, sort: "id" as "newest" },
  ])("rejects %j", async (query) => {
    await expect(index().search(query)).rejects.toThrow(InvalidSearch);
  });
}
