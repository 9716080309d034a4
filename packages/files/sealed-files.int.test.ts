import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { subjects } from "#contracts/sealed.ts";
import { SealBroken } from "#vault/sealing/box.ts";
import { storedPlace } from "#vault/sealing/file-seal.ts";
import { createMemoryKeyStore } from "#vault/testing/memory-key-store.ts";
import { openFolderFileStore } from "./file-stores.ts";
import { type ByteRange, FileExists, FileTooLarge } from "./port.ts";
import { FileErased, SealedFiles } from "./sealed-files.ts";

const AT = "2026-11-23T10:00:00.000Z";
const LIMIT = 10_000_000;

let folder: string;
let sealed: SealedFiles;
const keys = createMemoryKeyStore();
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "registry-sealed-"));
  sealed = new SealedFiles({ files: openFolderFileStore(folder), keys });
});
afterAll(() => rm(folder, { recursive: true }));

async function* given(...chunks: readonly Buffer[]) {
  yield* chunks;
}

const placeOf = (id: string) => path.join(folder, id.slice(0, 2), id);

async function store(content: Buffer): Promise<string> {
  const id = randomUUID();
  await sealed.put(id, given(content), LIMIT);
  return id;
}

async function read(id: string, range?: ByteRange): Promise<Buffer> {
  const found = await sealed.get(id, range);
  if (found.state !== "present") throw new Error(found.state);
  return buffer(found.content);
}

describe("encrypted files", () => {
  it("return what was stored, with its size and hash", async () => {
    const content = randomBytes(1_000_000);
    const id = randomUUID();
    const put = await sealed.put(id, given(content.subarray(0, 7), content.subarray(7)), LIMIT);
    const sha256 = createHash("sha256").update(content).digest("hex");
    expect(put).toEqual({ bytes: content.length, sha256 });
    expect(await sealed.get(id)).toMatchObject({ state: "present", bytes: content.length });
    expect((await read(id)).equals(content)).toBe(true);
    expect((await readFile(placeOf(id))).includes(content.subarray(500, 532))).toBe(false);
  });

  it.each([0, 1, 4096, 65_536, 65_537, 140_000])("of %i bytes return any range", async (length) => {
    const content = randomBytes(length);
    const id = await store(content);
    const places = [0, 1, 4095, 65_535, 65_536, 65_537, 131_072, length - 1, length, length + 9];
    for (const start of places.filter((place) => place >= 0))
      for (const end of places.filter((place) => place >= start)) {
        const part = await read(id, { start, end });
        expect(part.equals(content.subarray(start, end)), `${start} to ${end}`).toBe(true);
      }
  });

  it("reject a file over its limit, measured before encryption", async () => {
    await sealed.put(randomUUID(), given(randomBytes(5000)), 5000);
    const over = sealed.put(randomUUID(), given(randomBytes(5001)), 5000);
    await expect(over).rejects.toThrow(FileTooLarge);
  });

  it("don't replace a file", async () => {
    const id = await store(Buffer.from("first"));
    await expect(sealed.put(id, given(Buffer.from("second")), LIMIT)).rejects.toThrow(FileExists);
    expect(String(await read(id))).toBe("first");
  });

  it("accept the same ID again after an interrupted write", async () => {
    const id = randomUUID();
    async function* cutOff() {
      yield randomBytes(100_000);
      throw new Error("the visitor is gone");
    }
    await expect(sealed.put(id, cutOff(), LIMIT)).rejects.toThrow("the visitor is gone");
    expect(await sealed.get(id)).toEqual({ state: "missing" });
    await sealed.put(id, given(Buffer.from("whole")), LIMIT);
    expect(String(await read(id))).toBe("whole");
  });

  it("are gone once erased, even if the stored bytes are restored from a backup", async () => {
    const id = await store(Buffer.from("somebody's letter"));
    const backup = await readFile(placeOf(id));
    await sealed.erase([id], AT);
    await sealed.erase([id], AT);
    expect(await sealed.get(id)).toEqual({ state: "erased" });
    await expect(readFile(placeOf(id))).rejects.toThrow("ENOENT");
    await writeFile(placeOf(id), backup);
    expect(await sealed.get(id)).toEqual({ state: "erased" });
    expect((await keys.get([subjects.file(id)])).get(subjects.file(id))?.state).toBe("destroyed");
    await expect(sealed.put(id, given(), LIMIT)).rejects.toThrow(FileErased);
  });

  it("keep nothing of a file that was erased while it was being written", async () => {
    const id = randomUUID();
    async function* content() {
      yield randomBytes(1000);
      await sealed.erase([id], AT);
    }
    await expect(sealed.put(id, content(), LIMIT)).rejects.toThrow(FileErased);
    await expect(readFile(placeOf(id))).rejects.toThrow("ENOENT");
  });

  it("are missing if they were never stored", async () => {
    expect(await sealed.get(randomUUID())).toEqual({ state: "missing" });
  });

  it("return nothing from a file that was truncated at a piece boundary", async () => {
    const id = await store(randomBytes(140_000));
    await truncate(placeOf(id), storedPlace(1));
    await expect(sealed.get(id)).rejects.toThrow(SealBroken);
    await expect(sealed.get(id, { start: 0, end: 10 })).rejects.toThrow(SealBroken);
  });

  it("end the stream before a piece that was tampered with", async () => {
    const content = randomBytes(200_000);
    const id = await store(content);
    const stored = await readFile(placeOf(id));
    stored[storedPlace(1) + 5] = (stored[storedPlace(1) + 5] as number) ^ 1;
    await writeFile(placeOf(id), stored);
    const found = await sealed.get(id);
    if (found.state !== "present") throw new Error(found.state);
    const got: Buffer[] = [];
    const reading = (async () => {
      for await (const chunk of found.content) got.push(chunk as Buffer);
    })();
    await expect(reading).rejects.toThrow(SealBroken);
    expect(Buffer.concat(got).equals(content.subarray(0, 65_536))).toBe(true);
  });

  it("can't be opened in place of another file", async () => {
    const [one, two] = [await store(randomBytes(100)), await store(randomBytes(100))];
    await writeFile(placeOf(two), await readFile(placeOf(one)));
    await expect(sealed.get(two)).rejects.toThrow(SealBroken);
  });
});
