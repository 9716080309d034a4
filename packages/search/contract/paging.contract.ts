import { expect, it } from "vitest";
import {
  BeyondWindow,
  InvalidPageToken,
  type SearchIndex,
  type SearchQuery,
  SORTS,
} from "../port.ts";
import { createPageTokens } from "../search-plan.ts";
import { allPages, at, document, fill, ids, remove, several, upsert } from "./documents.ts";

/** Pages by token, forwards and back, while documents are added and removed; and by offset. */
export function pagingContract(index: () => SearchIndex): void {
  /** Follows `previous` from a result back to the first page. */
  const pagesBack = async (query: SearchQuery, from: string | null) => {
    const pages: { ids: string[]; page: number }[] = [];
    for (let page = from; page !== null && pages.length < 100; ) {
      const result = await index().search({ ...query, page });
      pages.push({ ids: result.hits.map((hit) => hit.id), page: result.page });
      page = result.previous;
    }
    return pages;
  };

  it.each(SORTS)("pages through everything, forwards and back, sorted by %s", async (sort) => {
    await fill(
      index(),
      Array.from({ length: 17 }, (_, n) =>
        document(n, {
          last_name: ["Smith", "Smyth", "Smtih", "Jones"][n % 4] as string,
          title: "By Smith",
          amount_cents: (n % 3) * 100,
          submitted_at: document(n % 5).submitted_at,
        }),
      ),
    );
    for (const q of ["smith", undefined]) {
      const query = { q, sort, size: 5 };
      const all = await ids(index(), { q, sort });
      expect(all).toHaveLength(17);
      const pages = await allPages(index(), query);
      expect(pages.map((page) => page.length)).toEqual([5, 5, 5, 2]);
      expect(pages.flat()).toEqual(all);

      let last = await index().search(query);
      while (last.next !== null) last = await index().search({ ...query, page: last.next });
      expect([last.page, last.pages, last.total]).toEqual([4, 4, 17]);
      expect(await pagesBack(query, last.previous)).toEqual([
        { ids: pages[2], page: 3 },
        { ids: pages[1], page: 2 },
        { ids: pages[0], page: 1 },
      ]);
    }
  });

  it("has no other pages for a single page or an empty result", async () => {
    await fill(index(), several(5));
    const one = { page: 1, pages: 1, next: null, previous: null };
    expect(await index().search({ size: 5 })).toMatchObject({ ...one, total: 5 });
    expect(await index().search({ q: "nobody", size: 5 })).toMatchObject({ ...one, total: 0 });
  });

  it("neither repeats nor skips anything when documents are added before the page", async () => {
    await fill(index(), several(6));
    const first = await index().search({ size: 3 });
    await index().apply([upsert(7, document(6)), upsert(8, document(7))], at(8));
    const second = await index().search({ size: 3, page: first.next ?? "" });
    expect(second.hits.map((hit) => hit.id)).toEqual([2, 1, 0].map((n) => document(n).id));
    const back = await index().search({ size: 3, page: second.previous ?? "" });
    expect(back.hits.map((hit) => hit.id)).toEqual(first.hits.map((hit) => hit.id));
    expect(back.page).toBe(1);
    const newest = await index().search({ size: 3, page: back.previous ?? "" });
    expect(newest.hits.map((hit) => hit.id)).toEqual([7, 6, 5].map((n) => document(n).id));
    expect([newest.page, newest.previous]).toEqual([1, null]);
  });

  it("continues when the row of a token is gone", async () => {
    await fill(index(), several(6));
    const first = await index().search({ size: 3 });
    await index().apply([remove(7, document(3))], at(7));
    const second = await index().search({ size: 3, page: first.next ?? "" });
    expect(second.hits.map((hit) => hit.id)).toEqual([2, 1, 0].map((n) => document(n).id));
  });

  it("fills the first page when earlier rows are gone", async () => {
    await fill(index(), several(6));
    const first = await index().search({ size: 3 });
    const second = await index().search({ size: 3, page: first.next ?? "" });
    await index().apply([remove(7, document(4))], at(7));
    const back = await index().search({ size: 3, page: second.previous ?? "" });
    expect(back.hits.map((hit) => hit.id)).toEqual([5, 3, 2].map((n) => document(n).id));
    expect([back.page, back.previous, back.next]).toEqual([1, null, expect.any(String)]);
  });

  it("leads back from a page whose rows are all gone", async () => {
    await fill(index(), several(6));
    const first = await index().search({ size: 2 });
    const second = await index().search({ size: 2, page: first.next ?? "" });
    await index().apply([remove(7, document(0)), remove(8, document(1))], at(8));
    const empty = await index().search({ size: 2, page: second.next ?? "" });
    expect([empty.hits.length, empty.next, empty.page]).toEqual([0, null, 3]);
    const back = await index().search({ size: 2, page: empty.previous ?? "" });
    expect(back.hits.map((hit) => hit.id)).toEqual(second.hits.map((hit) => hit.id));
    expect(back.page).toBe(2);
  });

  it("rejects the token of another search, and invalid tokens", async () => {
    await fill(index(), several(6, { title: "Lamp" }));
    const query = { q: "lamp", state: "CO", minCents: 1, reasonCodes: ["fraudulent"], size: 3 };
    const { next } = await index().search(query);
    const page = next ?? "";
    for (const other of [
      { ...query, q: "lamps" },
      { ...query, q: undefined },
      { ...query, state: undefined },
      { ...query, minCents: 2 },
      { ...query, maxCents: 9e9 },
      { ...query, reasonCodes: ["fraudulent", "other"] },
      { ...query, sort: "oldest" as const },
      { ...query, size: 2 },
      { ...query, emailBlind: "x" },
      { ...query, phoneBlind: "x" },
    ]) {
      await expect(index().search({ ...other, page }), JSON.stringify(other)).rejects.toThrow(
        InvalidPageToken,
      );
    }
    expect((await index().search({ ...query, q: " LAMP ", state: "co", page })).hits).toHaveLength(
      3,
    );
    const { next: high } = await index().search({ ...query, sort: "amount_high" });
    const low = index().search({ ...query, sort: "amount_low", page: high ?? "" });
    await expect(low).rejects.toThrow(InvalidPageToken);
  });

  it("rejects page tokens that it did not sign", async () => {
    await fill(index(), several(6));
    const { next, previous } = await index().search({ size: 2, offset: 2 });
    const { next: another } = await index().search({ size: 2, sort: "oldest" });
    const bytes = (token: string | null) => Buffer.from(token ?? "", "base64url");
    const page = next ?? "";
    const [signed, other] = [bytes(next), bytes(previous)];
    const flipped = Array.from(signed, (byte, n) =>
      Buffer.from(signed)
        .fill(byte ^ 1, n, n + 1)
        .toString("base64url"),
    );
    const key = { direction: "after", inclusive: false, page: 2, values: [0], id: "doc" } as const;
    const stranger = createPageTokens(Buffer.alloc(32, 7));
    for (const bad of [
      "x",
      "🙂",
      "%00",
      page.slice(1),
      page.slice(0, -2),
      `${page}AA`,
      "A".repeat(5_000),
      `${page}${"A".repeat(1_000_000)}`,
      ...flipped,
      Buffer.concat([signed.subarray(0, 16), other.subarray(16)]).toString("base64url"),
      signed.subarray(16).toString("base64url"),
      signed.subarray(0, 16).toString("base64url"),
      another ?? "",
      stranger.encode(key, ""),
      ...["[]", "null", "{}", '["x"]', "\ud800"].map((text) =>
        Buffer.concat([signed.subarray(0, 16), Buffer.from(text)]).toString("base64url"),
      ),
    ]) {
      const answer = index().search({ size: 2, page: bad });
      await expect(answer, bad.slice(0, 100)).rejects.toThrow(InvalidPageToken);
    }
    expect((await index().search({ size: 2, page })).hits).toHaveLength(2);
  });

  it("pages by offset up to row 10,000, and no further", async () => {
    await fill(index(), several(7));
    const all = await ids(index(), {});
    const middle = await index().search({ size: 3, offset: 3 });
    expect(middle.hits.map((hit) => hit.id)).toEqual(all.slice(3, 6));
    expect([middle.page, middle.pages, middle.total]).toEqual([2, 3, 7]);
    const last = await index().search({ size: 3, page: middle.next ?? "" });
    expect(last.hits.map((hit) => hit.id)).toEqual(all.slice(6));
    const first = await index().search({ size: 3, page: middle.previous ?? "" });
    expect(first.hits.map((hit) => hit.id)).toEqual(all.slice(0, 3));

    expect((await index().search({ size: 100, offset: 9_900 })).hits).toEqual([]);
    await expect(index().search({ size: 100, offset: 9_901 })).rejects.toThrow(BeyondWindow);
    await expect(index().search({ size: 1, offset: 10_000 })).rejects.toThrow(BeyondWindow);
  });
}
