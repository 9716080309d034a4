import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FileExists, type FileStore, FileTooLarge, type StoredFile } from "./port.ts";

export interface StoreUnderTest {
  readonly store: FileStore;
  close(): Promise<void>;
}

const LIMIT = 1_000_000;

async function* chunks(...parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void, void> {
  yield* parts;
}

async function all(list: AsyncIterable<StoredFile>): Promise<StoredFile[]> {
  const found: StoredFile[] = [];
  for await (const file of list) found.push(file);
  return found;
}

/**
 * Tests the behavior of every file store. Each adapter runs the whole suite.
 * @param open opens an empty store.
 */
export function fileStoreContract(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`${name} as a file store`, () => {
    let opened: StoreUnderTest;
    let store: FileStore;
    beforeAll(async () => {
      opened = await open();
      store = opened.store;
    });
    afterAll(() => opened?.close());

    const read = async (id: string, range?: { start: number; end: number }) => {
      const stream = await store.get(id, range);
      return stream && buffer(stream);
    };
    const ids = async () => (await all(store.list())).map(({ id }) => id);

    it("returns what was stored, however it was chunked", async () => {
      const content = randomBytes(300_000);
      const id = randomUUID();
      const parts = [content.subarray(0, 1), content.subarray(1, 1), content.subarray(1)];
      expect(await store.put(id, chunks(...parts), LIMIT)).toBe(content.length);
      expect(await store.size(id)).toBe(content.length);
      expect((await read(id))?.equals(content)).toBe(true);
    });

    it("stores an empty file", async () => {
      const id = randomUUID();
      expect(await store.put(id, chunks(), LIMIT)).toBe(0);
      expect(await store.size(id)).toBe(0);
      expect(await read(id)).toHaveLength(0);
      expect(await read(id, { start: 0, end: 10 })).toHaveLength(0);
    });

    it("returns the part of a range that the file has", async () => {
      const id = randomUUID();
      await store.put(id, chunks(Buffer.from("0123456789")), LIMIT);
      for (const [start, end, part] of [
        [0, 10, "0123456789"],
        [3, 5, "34"],
        [9, 10, "9"],
        [8, 99, "89"],
        [4, 4, ""],
        [10, 12, ""],
        [50, 60, ""],
      ] as const)
        expect(String(await read(id, { start, end })), `${start} to ${end}`).toBe(part);
      for (const range of [
        { start: -1, end: 3 },
        { start: 3, end: 2 },
        { start: 0.5, end: 2 },
      ])
        await expect(store.get(id, range)).rejects.toThrow(TypeError);
    });

    it("doesn't find a file that was never stored", async () => {
      const id = randomUUID();
      expect(await store.size(id)).toBeUndefined();
      expect(await store.get(id)).toBeUndefined();
      expect(await store.get(id, { start: 0, end: 1 })).toBeUndefined();
    });

    it("never replaces a file", async () => {
      const id = randomUUID();
      await store.put(id, chunks(Buffer.from("first")), LIMIT);
      const again = store.put(id, chunks(Buffer.from("second")), LIMIT);
      await expect(again).rejects.toThrow(FileExists);
      expect(String(await read(id))).toBe("first");
    });

    it("lets exactly one of several concurrent writers of an ID store its whole file", async () => {
      const id = randomUUID();
      const contents = Array.from({ length: 8 }, () => randomBytes(50_000));
      const results = await Promise.allSettled(
        contents.map((content) => store.put(id, chunks(content), LIMIT)),
      );
      const won = results.flatMap(({ status }, i) => (status === "fulfilled" ? [i] : []));
      expect(won).toHaveLength(1);
      for (const result of results)
        if (result.status === "rejected") expect(result.reason).toBeInstanceOf(FileExists);
      expect((await read(id))?.equals(contents[won[0] as number] as Buffer)).toBe(true);
    });

    it("never shows part of a file, either during the write or after it was cut off", async () => {
      const id = randomUUID();
      const atHalf = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      async function* cutOff() {
        yield randomBytes(200_000);
        atHalf.resolve();
        await goOn.promise;
        throw new Error("the visitor is gone");
      }
      const put = expect(store.put(id, cutOff(), LIMIT)).rejects.toThrow("the visitor is gone");
      await atHalf.promise;
      expect(await store.size(id)).toBeUndefined();
      expect(await ids()).not.toContain(id);
      goOn.resolve();
      await put;
      expect(await store.get(id)).toBeUndefined();
      expect(await ids()).not.toContain(id);
      await store.put(id, chunks(Buffer.from("now whole")), LIMIT);
      expect(String(await read(id))).toBe("now whole");
    });

    it("rejects a file over its limit and stores none of it", async () => {
      const id = randomUUID();
      const over = store.put(id, chunks(randomBytes(600), randomBytes(401)), 1000);
      await expect(over).rejects.toThrow(FileTooLarge);
      expect(await store.size(id)).toBeUndefined();
      expect(await store.put(id, chunks(randomBytes(600), randomBytes(400)), 1000)).toBe(1000);
    });

    it("stops reading content once it exceeds its limit", async () => {
      let yielded = 0;
      async function* endless() {
        for (;;) {
          yielded += 1;
          yield Buffer.alloc(100);
        }
      }
      await expect(store.put(randomUUID(), endless(), 1000)).rejects.toThrow(FileTooLarge);
      expect(yielded).toBeLessThan(20);
    });

    it("deletes files, ignoring those that don't exist", async () => {
      const [kept, ...gone] = [randomUUID(), randomUUID(), randomUUID()];
      for (const id of [kept, ...gone]) await store.put(id, chunks(Buffer.from(id)), LIMIT);
      await store.delete([...gone, randomUUID()]);
      await store.delete(gone);
      for (const id of gone) expect(await store.get(id)).toBeUndefined();
      expect(String(await read(kept))).toBe(kept);
      expect(await ids()).not.toContain(gone[0]);
    });

    it("lists files in ID order, with sizes and times", async () => {
      const stored = Array.from({ length: 25 }, () => randomUUID());
      const before = Date.now() - 2000;
      await Promise.all(stored.map((id) => store.put(id, chunks(Buffer.from("abc")), LIMIT)));
      const found = await all(store.list());
      const names = found.map(({ id }) => id);
      expect(names).toEqual(names.toSorted());
      expect(names).toEqual(expect.arrayContaining(stored));
      const one = found.find(({ id }) => id === stored[0]);
      expect(one?.bytes).toBe(3);
      // Some stores keep only whole seconds.
      expect(one?.storedAt.getTime()).toBeGreaterThan(before);
      expect(one?.storedAt.getTime()).toBeLessThan(Date.now() + 2000);
    });

    it("lists only files stored before a given time", async () => {
      await store.put(randomUUID(), chunks(), LIMIT);
      expect(await all(store.list(new Date(Date.now() - 60_000)))).toEqual([]);
      const later = await all(store.list(new Date(Date.now() + 60_000)));
      expect(later.map(({ id }) => id)).toEqual(await ids());
    });

    it("rejects IDs that could escape the store", async () => {
      for (const id of ["", "..", "../a", "a/b", "a.b", "A", "ä", "-a", "a".repeat(101), "a\0"]) {
        await expect(store.put(id, chunks(), LIMIT)).rejects.toThrow(TypeError);
        await expect(store.get(id)).rejects.toThrow(TypeError);
        await expect(store.size(id)).rejects.toThrow(TypeError);
        await expect(store.delete([id])).rejects.toThrow(TypeError);
      }
    });

    it("keeps working after readers that stop early or never start", async () => {
      const id = randomUUID();
      const content = randomBytes(900_000);
      await store.put(id, chunks(content), LIMIT);
      for (let i = 0; i < 60; i += 1) {
        const stream = await store.get(id);
        if (i % 2) await stream?.[Symbol.asyncIterator]().next();
        const closed = stream && once(stream, "close");
        stream?.destroy();
        await closed;
      }
      expect((await read(id))?.equals(content)).toBe(true);
    });

    it("can be pinged", async () => {
      await expect(store.ping()).resolves.toBeUndefined();
    });
  });
}
