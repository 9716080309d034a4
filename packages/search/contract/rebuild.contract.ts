import { expect, it } from "vitest";
import type { SearchIndex } from "../port.ts";
import { at, document, fill, ids, remove, several, titleOf, upsert } from "./documents.ts";

/** A new index next to the live one, and the swap of the two. */
export function rebuildContract(index: () => SearchIndex): void {
  it("leaves the live index unchanged until it is committed, then replaces it", async () => {
    await fill(index(), [document(1, { title: "Lamp" })]);
    const rebuild = await index().beginRebuild();
    await rebuild.apply([upsert(1, document(2, { title: "Lamp" }))], at(5));
    await index().apply([upsert(2, document(3, { title: "Lamp" }))], at(2));
    expect(await ids(index(), { q: "lamp" })).toEqual([document(3).id, document(1).id]);
    expect(await index().state()).toMatchObject({ position: at(2) });
    await rebuild.commit();
    expect(await ids(index(), { q: "lamp" })).toEqual([document(2).id]);
    expect(await index().state()).toEqual({ position: at(5), matching: "same" });
  });

  it("keeps positions and deletions across the swap", async () => {
    const rebuild = await index().beginRebuild();
    await rebuild.apply([upsert(5, document(1)), remove(6, document(2))], at(6));
    await rebuild.commit();
    await index().apply([upsert(4, document(1, { title: "Late" })), upsert(5, document(2))], at(6));
    expect(await ids(index(), {})).toEqual([document(1).id]);
    expect(await ids(index(), { q: "late" })).toEqual([]);
  });

  it("leaves nothing behind when it is aborted or abandoned", async () => {
    await fill(index(), [document(1)]);
    const given = await index().beginRebuild();
    await given.apply([upsert(9, document(2))], at(9));
    await given.abort();
    expect(await ids(index(), {})).toEqual([document(1).id]);

    const forgotten = await index().beginRebuild();
    await forgotten.apply([upsert(9, document(3)), remove(9, document(4))], at(9));
    const again = await index().beginRebuild();
    await again.apply([upsert(5, document(4))], at(5));
    await again.commit();
    expect(await ids(index(), {})).toEqual([document(4).id]);
    expect(await index().state()).toMatchObject({ position: at(5) });
  });

  it("works repeatedly", async () => {
    for (const n of [1, 2, 3]) {
      const rebuild = await index().beginRebuild();
      await rebuild.apply([upsert(1, document(n))], at(1));
      await rebuild.commit();
      expect(await ids(index(), { q: "quinn" })).toEqual([document(n).id]);
    }
  });

  it("never shows searches an empty or a mixed index", async () => {
    const generation = (g: string) => several(12, { title: `Generation ${g}` });
    await fill(index(), generation("one"));
    let swapping = true;
    const seen = new Set<string>();
    const searching = Array.from({ length: 4 }, async (_, i) => {
      while (swapping) {
        const { hits, total } = await index().search({
          size: 20,
          q: i % 2 ? "quinn generation" : "generation",
        });
        expect([hits.length, total]).toEqual([12, 12]);
        const titles = new Set(hits.map(titleOf));
        expect(titles.size).toBe(1);
        for (const title of titles) seen.add(title);
      }
    });
    for (const g of ["two", "three", "four"]) {
      const rebuild = await index().beginRebuild();
      await rebuild.apply(
        generation(g).map((doc) => upsert(1, doc)),
        at(1),
      );
      await rebuild.commit();
    }
    swapping = false;
    await Promise.all(searching);
    expect(await ids(index(), { q: "four" })).toHaveLength(12);
    expect(seen.size).toBeGreaterThan(1);
  });
}
