import fc from "fast-check";
import { expect, it } from "vitest";
import type { SearchIndex, SearchWrite } from "../port.ts";
import { at, document, ids, remove, titleOf, upsert } from "./documents.ts";

/** Writes in and out of order, repeated, and mixed with deletions. */
export function writingContract(index: () => SearchIndex): void {
  const old = document(1, { title: "Old title", last_name: "Oldname" });
  const fresh = document(1, { title: "New title", last_name: "Newname" });
  const apply = (...writes: SearchWrite[]) => index().apply(writes, at(100));

  it("replaces a whole document: old content is no longer found", async () => {
    await apply(upsert(1, { ...old, blind: { email: ["hash"] } }));
    await apply(upsert(2, fresh));
    expect(await ids(index(), { q: "newname" })).toEqual([fresh.id]);
    expect(await ids(index(), { q: "new title" })).toEqual([fresh.id]);
    expect(await ids(index(), { q: "oldname" })).toEqual([]);
    expect(await ids(index(), { q: "old title" })).toEqual([]);
    expect(await ids(index(), { emailBlind: "hash" })).toEqual([]);
  });

  it("ignores an outdated write", async () => {
    await apply(upsert(5, fresh));
    await apply(upsert(4, old));
    expect(await ids(index(), { q: "newname" })).toEqual([fresh.id]);
    await apply(remove(3, fresh));
    expect(await ids(index(), {})).toEqual([fresh.id]);
  });

  it("lets a later write at the same position win", async () => {
    await apply(upsert(5, old));
    await apply(upsert(5, fresh));
    expect(await ids(index(), { q: "newname" })).toEqual([fresh.id]);
    await apply(upsert(6, fresh), upsert(6, old));
    expect(await ids(index(), { q: "oldname" })).toEqual([old.id]);
  });

  it("distinguishes positions that differ in the last of many digits", async () => {
    const high = 2n ** 62n - 1n;
    for (const [later, earlier] of [
      [2n ** 53n + 1n, 2n ** 53n],
      [high, high - 1n],
    ]) {
      const [late, early] = [later, earlier].map((n) => String(n).padStart(20, "0"));
      await index().clear();
      await index().apply([{ op: "upsert", position: late ?? "", document: fresh }], late ?? "");
      await index().apply([{ op: "upsert", position: early ?? "", document: old }], early ?? "");
      expect(await ids(index(), { q: "newname" })).toEqual([fresh.id]);
      expect(await index().state()).toMatchObject({ position: late });
      await index().apply([{ op: "delete", position: early ?? "", id: fresh.id }], late ?? "");
      expect(await ids(index(), {})).toEqual([fresh.id]);
      await index().apply([{ op: "delete", position: late ?? "", id: fresh.id }], late ?? "");
      expect(await ids(index(), {})).toEqual([]);
    }
  });

  it("does not restore a deleted document on an outdated write", async () => {
    await apply(upsert(1, old));
    await apply(remove(5, old));
    expect(await ids(index(), {})).toEqual([]);
    await apply(upsert(4, fresh));
    await apply(upsert(5, fresh));
    expect(await ids(index(), {})).toEqual([]);
  });

  it("lets a deletion win over a document at the same position, in any order", async () => {
    await apply(remove(5, old), upsert(5, fresh));
    expect(await ids(index(), {})).toEqual([]);
    await apply(upsert(6, fresh), remove(6, old));
    expect(await ids(index(), {})).toEqual([]);
    await apply(upsert(7, fresh));
    await apply(remove(7, old));
    await apply(upsert(7, fresh));
    expect(await ids(index(), {})).toEqual([]);
  });

  it("remembers the deletion of an unknown document", async () => {
    await apply(remove(5, old));
    await apply(upsert(4, old));
    expect(await ids(index(), {})).toEqual([]);
  });

  it("accepts a document that is approved again after its deletion", async () => {
    await apply(upsert(1, old), remove(5, old));
    await apply(upsert(6, fresh));
    await apply(remove(5, old), upsert(4, old));
    expect(await ids(index(), { q: "newname" })).toEqual([fresh.id]);
    await apply(remove(7, old));
    await apply(upsert(6, fresh));
    expect(await ids(index(), {})).toEqual([]);
  });

  it("is idempotent", async () => {
    const writes = [
      upsert(1, old),
      upsert(2, document(2)),
      remove(3, document(2)),
      upsert(4, fresh),
    ];
    await apply(...writes);
    const once = await index().search({ size: 9 });
    await apply(...writes);
    await apply(...writes.slice(0, 2));
    expect(await index().search({ size: 9 })).toEqual(once);
    expect(await ids(index(), { q: "newname" })).toEqual(once.hits.map(({ id }) => id));
  });

  it("applies the newest of several writes to one document in a batch, in any order", async () => {
    await apply(upsert(3, fresh), upsert(1, old), upsert(2, document(2)), remove(1, document(2)));
    expect(await ids(index(), { q: "newname" })).toEqual([fresh.id]);
    expect(await ids(index(), { q: "untitled" })).toEqual([document(2).id]);
  });

  it("ends in the same state for any order and batching of the same writes", async () => {
    const write = fc.record({
      n: fc.integer({ min: 1, max: 3 }),
      position: fc.integer({ min: 1, max: 12 }),
      isDelete: fc.boolean(),
    });
    const writes = fc
      .uniqueArray(write, { selector: (w) => w.position, minLength: 1, maxLength: 8 })
      .chain((list) =>
        fc.tuple(
          fc.constant(list),
          fc.shuffledSubarray(list, { minLength: list.length }),
          fc.integer({ min: 1, max: 4 }),
        ),
      );
    // All documents of a run have the same amount, which no other run uses.
    let run = 0;
    await fc.assert(
      fc.asyncProperty(writes, async ([inOrder, shuffled, batch]) => {
        run += 1;
        const amount_cents = run;
        const idOf = (n: number) => document(run * 10 + n).id;
        for (let i = 0; i < shuffled.length; i += batch) {
          await apply(
            ...shuffled.slice(i, i + batch).map(({ n, position, isDelete }) => {
              const doc = document(run * 10 + n, { title: `Title ${position}`, amount_cents });
              return isDelete ? remove(position, doc) : upsert(position, doc);
            }),
          );
        }
        const ofRun = { minCents: amount_cents, maxCents: amount_cents };
        const { hits } = await index().search({ size: 9, q: "title", ...ofRun });
        const shown = hits.map((hit) => `${hit.id} ${titleOf(hit)}`).sort();
        const last = [1, 2, 3].flatMap((n) => {
          const newest = inOrder
            .filter((w) => w.n === n)
            .sort((a, b) => b.position - a.position)[0];
          return newest && !newest.isDelete ? [`${idOf(n)} Title ${newest.position}`] : [];
        });
        expect(shown).toEqual(last.sort());
      }),
      { numRuns: 30 },
    );
  });

  it("applies all writes of a batch or none", async () => {
    const broken = { ...document(2), submitted_at: "no time at all" };
    await expect(apply(upsert(1, old), upsert(2, broken))).rejects.toThrow();
    expect(await ids(index(), {})).toEqual([]);
  });

  it("accepts large batches", async () => {
    const many = Array.from({ length: 1_203 }, (_, n) => upsert(n + 1, document(n)));
    await index().apply(many, at(1_203));
    expect((await index().search({ q: "untitled", size: 9, offset: 1_200 })).hits).toHaveLength(3);
    await index().apply(
      many.map((_, n) => remove(2_000 + n, document(n))),
      at(4_000),
    );
    expect(await index().search({ size: 9 })).toMatchObject({ total: 0 });
  });

  it("keeps its position, never moves it back, and forgets it when cleared", async () => {
    expect(await index().state()).toEqual({ position: null, matching: "same" });
    await index().apply([], at(7));
    expect(await index().state()).toMatchObject({ position: at(7) });
    await index().apply([upsert(6, old)], at(6));
    expect(await index().state()).toMatchObject({ position: at(7) });
    await index().apply([remove(8, old)], at(8));
    await index().clear();
    expect(await index().state()).toEqual({ position: null, matching: "same" });
    await index().apply([upsert(1, old)], at(1));
    expect(await ids(index(), {})).toEqual([old.id]);
  });
}
