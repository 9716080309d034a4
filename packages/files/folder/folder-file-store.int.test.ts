import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fileStoreContract } from "../contract-suite.ts";
import { openFolderFileStore } from "../file-stores.ts";
import { FilesUnavailable } from "../port.ts";

fileStoreContract("a folder", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "registry-files-"));
  const store = openFolderFileStore(path.join(folder, "files"));
  return { store, close: () => rm(folder, { recursive: true }) };
});

describe("the folder store", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), "registry-files-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function* content() {
    yield Buffer.from("content");
  }

  it("is readable by its owner only and leaves nothing unfinished", async () => {
    const place = path.join(folder, "private");
    const store = openFolderFileStore(place);
    await store.put("abc", content(), 100);
    for (const [name, mode] of [
      [".", 0o700],
      ["ab", 0o700],
      ["ab/abc", 0o600],
    ] as const)
      expect((await stat(path.join(place, name))).mode & 0o777, name).toBe(mode);
    expect(await readdir(path.join(place, "unfinished"))).toEqual([]);
  });

  it("removes what killed writers left, but not files in progress", async () => {
    const place = path.join(folder, "killed");
    const store = openFolderFileStore(place);
    await store.ping();
    const hourAgo = new Date(Date.now() - 3_700_000);
    await writeFile(path.join(place, "unfinished/old.1"), "half");
    await utimes(path.join(place, "unfinished/old.1"), hourAgo, hourAgo);
    await writeFile(path.join(place, "unfinished/new.1"), "half");
    for await (const { id } of store.list()) expect.unreachable(id);
    expect(await readdir(path.join(place, "unfinished"))).toEqual(["new.1"]);
  });

  it("reports that the folder can't be used, without its path", async () => {
    const place = path.join(folder, "a-file");
    await writeFile(place, "a file where a folder belongs");
    const store = openFolderFileStore(path.join(place, "files"));
    const refused = store.put("abc", content(), 100);
    await expect(refused).rejects.toThrow(FilesUnavailable);
    await expect(refused).rejects.not.toThrow(place);
    await expect(store.ping()).rejects.toThrow(FilesUnavailable);
    await expect(store.size("abc")).rejects.toThrow(FilesUnavailable);
  });
});
