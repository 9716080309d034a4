import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ConfigInvalid } from "#runtime/config/load-config.ts";
import { testSearchNode } from "#test-kit/search-node.ts";
import {
  allPages,
  at,
  document,
  fill,
  ids,
  remove,
  several,
  upsert,
} from "../contract/documents.ts";
import { searchContract, TEST_COUNT_CAP } from "../contract-suite.ts";
import { SearchUnavailable, SearchWriteRefused } from "../port.ts";
import { OpenSearchIndex } from "./opensearch-search-index.ts";

/** A machine that is starting servers at the same time needs a minute for what usually takes a moment. */
const timeout = 300_000;
const limits = { search: 60_000, state: 60_000, write: 60_000, manage: 120_000 };

const node = await testSearchNode();
if ("absent" in node) it("the search index in OpenSearch", ({ skip }) => skip(node.absent));
else describe("with enough time", { timeout }, () => testOpenSearch(node.url));

function testOpenSearch(url: string): void {
  searchContract(
    "OpenSearch",
    async () => {
      const index = await installed({ countCap: TEST_COUNT_CAP });
      return { index, close: () => dispose(index) };
    },
    timeout,
  );

  describe("the search index in OpenSearch", () => {
    let index: OpenSearchIndex;
    beforeAll(async () => {
      index = await installed();
    }, timeout);
    beforeEach(() => index.clear(), timeout);
    afterAll(() => dispose(index), timeout);

    it("keeps only the id of a deleted document and a flag that hides it", async () => {
      const canary = {
        first_name: "Canaryfirst",
        last_name: "Canarylast",
        title: "canarytitle",
        description: "canarydescription",
        city: "Canarycity",
        blind: { email: ["canaryemail"], phone: ["canaryphone"] },
      };
      await fill(index, [document(1, canary)]);
      await index.apply([remove(2, document(1))], at(2));
      const kept = await ask<{ _source: object }>(`/_doc/${document(1).id}`);
      expect(kept._source).toEqual({ id: document(1).id, hidden: true });
      expect(await terms()).toEqual([]);
    });

    it("returns no field that only serves matching", async () => {
      await fill(index, [document(1, { blind: { email: ["blindhash"] } })]);
      const kept = JSON.stringify(await ask(`/_doc/${document(1).id}`));
      expect(kept).toContain("Quinn");
      expect(kept).not.toMatch(/blindhash|n:quinn|terms|search_text/);
      expect(await ids(index, { emailBlind: "blindhash" })).toEqual([document(1).id]);
    });

    it("applies the documents that the engine accepts, names the error, and keeps its position", async () => {
      await index.apply([], at(1));
      const unfit = document(2, { state: "CANARY".repeat(6_000) });
      const writes = [upsert(2, document(1)), upsert(3, unfit), upsert(4, document(3))];
      const failure = await index.apply(writes, at(4)).catch((error: Error) => error);
      expect(failure).toBeInstanceOf(SearchWriteRefused);
      expect(String(failure)).not.toMatch(/canary/i);
      expect(await index.state()).toMatchObject({ position: at(1) });
      await index.apply([upsert(2, document(1)), remove(3, unfit), upsert(4, document(3))], at(4));
      expect(await ids(index, {})).toEqual([document(3).id, document(1).id]);
      expect(await index.state()).toMatchObject({ position: at(4) });
    });

    it("never writes into an automatically created index, nor into a different one", async () => {
      const live = await index.install();
      const writer = index.writer(live);
      await writer.apply([upsert(1, document(1))], at(1));
      await index.clear();
      const late = writer.apply([upsert(2, document(2))], at(2));
      await expect(late).rejects.toThrow(SearchUnavailable);

      await index.indexes.drop(await index.indexes.all());
      await expect(index.apply([upsert(1, document(1))], at(1))).rejects.toThrow(SearchUnavailable);
      expect(await index.indexes.all()).toEqual([]);
      await expect(index.search({ size: 9 })).rejects.toThrow(SearchUnavailable);
      await expect(index.state()).rejects.toThrow(SearchUnavailable);
      await index.install();
      expect(await ids(index, {})).toEqual([]);
    });

    it("rejects positions that the engine cannot compare, before anything is written", async () => {
      for (const position of ["7", "x", `${"0".repeat(19)}a`, "9".repeat(20), String(2n ** 62n)]) {
        const write = { op: "upsert", position, document: document(1) } as const;
        await expect(index.apply([write], at(1)), position).rejects.toThrow(RangeError);
        await expect(index.apply([], position), position).rejects.toThrow(RangeError);
      }
      expect(await ids(index, {})).toEqual([]);
    });

    it("pages past row 10,000 by key, and counts exactly up to there", async () => {
      const many = several(10_003, { title: "Lamp" });
      const rebuild = await index.beginRebuild();
      await rebuild.apply(
        many.map((doc) => upsert(1, doc)),
        at(1),
      );
      await rebuild.commit();
      for (const q of [undefined, "lamp"]) {
        const pages = await allPages(index, { q, size: 200 });
        expect(pages.map((page) => page.length).slice(-2)).toEqual([200, 3]);
        expect(new Set(pages.flat()).size).toBe(10_003);
        const capped = { total: 10_000, totalCapped: true };
        expect(await index.search({ q, size: 200, offset: 9_800 })).toMatchObject(capped);
      }
      const gone = several(3).map((doc) => remove(2, doc));
      await index.apply(gone, at(2));
      const exact = { total: 10_000, totalCapped: false, pages: 100 };
      expect(await index.search({ q: "lamp", size: 100 })).toMatchObject(exact);
      expect((await index.search({ size: 100, offset: 9_900 })).next).toBe(null);
    });

    it("searches the live index while another is built, never a partial one", async () => {
      const lamps = (n: number) => several(n, { title: "Lamp" });
      await fill(index, lamps(30));
      const rebuild = await index.beginRebuild();
      let searching = true;
      // What each reader found, in order: replies to different readers may overtake each other.
      const found = Array.from({ length: 4 }, (): number[] => []);
      const readers = found.map(async (totals) => {
        while (searching) totals.push((await index.search({ q: "lamp", size: 9 })).total);
      });
      const allFound = (total: number) =>
        expect
          .poll(() => found.every((totals) => totals.includes(total)), { timeout: timeout / 3 })
          .toBe(true);
      await allFound(30);
      for (const doc of lamps(40)) await rebuild.apply([upsert(50, doc)], at(50));
      await index.apply([upsert(31, document(30, { title: "Lamp" }))], at(31));
      await rebuild.prepare();
      await allFound(31);
      await rebuild.swap();
      await rebuild.discardOld();
      await allFound(40);
      searching = false;
      await Promise.all(readers);
      for (const totals of found) {
        expect(new Set(totals)).toEqual(new Set([30, 31, 40]));
        expect(totals).toEqual(totals.toSorted((a, b) => a - b));
      }
      expect(await index.indexes.all()).toEqual([rebuild.physical]);
    });

    it("switches back to the old index when a swap is rolled back", async () => {
      await fill(index, [document(1)]);
      const rebuild = await index.beginRebuild();
      await rebuild.apply([upsert(9, document(2))], at(9));
      await rebuild.swap();
      expect(await ids(index, {})).toEqual([document(2).id]);
      await rebuild.abort();
      expect(await ids(index, {})).toEqual([document(1).id]);
      expect(await index.indexes.all()).toHaveLength(1);
    });

    it("persists what it acknowledges after a rebuild, as before", async () => {
      type Settings = Record<string, { settings: { index: Record<string, unknown> } }>;
      const settings = async (name: string) =>
        (await ask<Settings>("/_settings", undefined, name))[name]?.settings.index;
      const before = await settings(await index.install());
      const rebuild = await index.beginRebuild();
      await rebuild.apply([upsert(1, document(1))], at(1));
      await rebuild.commit();
      const after = await settings(rebuild.physical);
      expect(Object.keys(after ?? {})).toEqual(Object.keys(before ?? {}));
      expect(after).not.toHaveProperty("translog");
    });

    it("reports that it is outdated if another version of the matching filled it", async () => {
      const live = await index.install();
      await ask(`/_mapping`, { _meta: { matching_version: 0 } }, live);
      expect(await index.state()).toMatchObject({ matching: "earlier" });
      await (await index.beginRebuild()).commit();
      expect(await index.state()).toMatchObject({ matching: "same" });
    });

    it("accepts only a plain name for its alias", () => {
      for (const alias of [
        "",
        "A",
        "a b",
        "a--b",
        "a*",
        "-a",
        "a_",
        "../x",
        "a,b",
        "x".repeat(101),
      ])
        expect(() => new OpenSearchIndex(url, { alias }), alias).toThrow(ConfigInvalid);
    });

    async function ask<T>(path: string, body?: object, name = index.indexes.alias): Promise<T> {
      const response = await fetch(new URL(`/${name}${path}`, url), {
        ...(body ? { method: "PUT", body: JSON.stringify(body) } : {}),
        headers: { "content-type": "application/json" },
      });
      expect(response.status).toBe(200);
      return (await response.json()) as T;
    }

    /** Returns everything by which a document can be found in the engine now. */
    async function terms(): Promise<unknown[]> {
      const query = encodeURIComponent("hidden:false OR _exists_:terms OR _exists_:document");
      const found = await ask<{ hits: { hits: unknown[] } }>(`/_search?q=${query}`);
      return found.hits.hits;
    }
  });

  async function installed(options: { countCap?: number } = {}): Promise<OpenSearchIndex> {
    const own = new URL(url);
    own.searchParams.set("index", `test-${crypto.randomUUID()}`);
    const index = new OpenSearchIndex(own.href, { limits, ...options });
    await index.install();
    return index;
  }

  async function dispose(index: OpenSearchIndex): Promise<void> {
    await index.indexes.drop(await index.indexes.all());
    await index.close();
  }
}
