import { randomUUID } from "node:crypto";
import { type FileHandle, link, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { syncFolder } from "#runtime/atomic-file.ts";
import { ConfigInvalid } from "#runtime/config/load-config.ts";
import { chooseByScheme } from "#runtime/config/value-problems.ts";
import {
  type ByteRange,
  checkFileId,
  checkRange,
  clip,
  FileExists,
  type FileStore,
  FilesUnavailable,
  type StoredFile,
  upTo,
} from "./port.ts";
import { readS3Url } from "./s3/s3-url.ts";
import { wholeStream } from "./sealed-files.ts";

/**
 * Opens the store that the URL's scheme selects. Nothing is read or written before the first call.
 * @throws {ConfigInvalid}
 */
export async function openFileStore(url: string): Promise<FileStore> {
  return chooseByScheme<FileStore | Promise<FileStore>>("FILES_URL", url, {
    file: () => openFolderFileStore(fileURLToPath(url)),
    async s3() {
      const address = readS3Url(url);
      // Its client takes 12 MB of memory; don't load it without a bucket.
      if (address) return (await import("./s3/s3-file-store.ts")).openS3FileStore(address);
      throw new ConfigInvalid([
        "FILES_URL must look like s3://key:secret@host/bucket[/folder][?region=...&tls=false]",
      ]);
    },
  });
}

/** Subfolder for files that are still being written. */
const UNFINISHED = "unfinished";

/** Milliseconds after which an unfinished file counts as abandoned: no write takes this long. */
const ABANDONED_MS = 3_600_000;

/**
 * Stores files in a local folder, in subfolders named by the first two characters of their IDs. A file is written
 * to `unfinished/`, flushed, and then hard-linked into place, which fails if the ID is taken.
 * @param folder created with its first file.
 */
export function openFolderFileStore(folder: string): FileStore {
  return new FolderFileStore(folder);
}

class FolderFileStore implements FileStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(id: string, content: AsyncIterable<Uint8Array>, limit: number): Promise<number> {
    const place = this.#placeOf(id);
    const { unfinished, handle } = await this.#begin(id);
    try {
      const bytes = await write(handle, upTo(limit, content));
      const parent = path.dirname(place);
      const made = await orUnavailable(mkdir(parent, { recursive: true, mode: 0o700 }));
      await link(unfinished, place).catch((error) => {
        throw codeOf(error) === "EEXIST"
          ? new FileExists(`file ${id} already exists`)
          : away(error);
      });
      await orUnavailable(syncFolder(parent));
      if (made) await orUnavailable(syncFolder(this.#folder));
      return bytes;
    } finally {
      await handle.close();
      await rm(unfinished, { force: true }).catch(() => undefined);
    }
  }

  async size(id: string): Promise<number | undefined> {
    return (await unlessMissing(stat(this.#placeOf(id))))?.size;
  }

  async get(id: string, range?: ByteRange): Promise<Readable | undefined> {
    checkRange(range);
    const handle = await unlessMissing(open(this.#placeOf(id), "r"));
    if (!handle) return undefined;
    const { size } = await orUnavailable(handle.stat());
    const { start, end } = clip(range, size);
    if (end > start)
      return wholeStream(handle.createReadStream({ start, end: end - 1 }), end - start, away);
    await handle.close();
    return Readable.from([]);
  }

  async delete(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const place = this.#placeOf(id);
      await orUnavailable(rm(place, { force: true }));
      await unlessMissing(syncFolder(path.dirname(place)));
    }
  }

  async *list(olderThan?: Date): AsyncGenerator<StoredFile, void, void> {
    await this.#removeAbandoned();
    for (const part of ((await unlessMissing(readdir(this.#folder))) ?? []).sort()) {
      if (part.length > 2) continue;
      const folder = path.join(this.#folder, part);
      for (const id of ((await unlessMissing(readdir(folder))) ?? []).sort()) {
        // It may have been deleted since `readdir`.
        const found = await unlessMissing(stat(path.join(folder, id)));
        if (found?.isFile() && !(olderThan && found.mtime >= olderThan))
          yield { id, bytes: found.size, storedAt: found.mtime };
      }
    }
  }

  async ping(): Promise<void> {
    const { unfinished, handle } = await this.#begin("probe");
    await orUnavailable(handle.close());
    await orUnavailable(rm(unfinished, { force: true }));
  }

  async close(): Promise<void> {}

  /** Creates a temporary file under a unique name. */
  async #begin(name: string): Promise<{ unfinished: string; handle: FileHandle }> {
    const folder = path.join(this.#folder, UNFINISHED);
    await orUnavailable(mkdir(folder, { recursive: true, mode: 0o700 }));
    const unfinished = path.join(folder, `${name}.${randomUUID()}`);
    return { unfinished, handle: await orUnavailable(open(unfinished, "wx", 0o600)) };
  }

  #placeOf(id: string): string {
    checkFileId(id);
    return path.join(this.#folder, id.slice(0, 2), id);
  }

  /** Removes files left behind by killed writers. */
  async #removeAbandoned(): Promise<void> {
    const folder = path.join(this.#folder, UNFINISHED);
    for (const name of (await unlessMissing(readdir(folder))) ?? []) {
      const file = path.join(folder, name);
      const found = await unlessMissing(stat(file));
      if (found && found.mtimeMs < Date.now() - ABANDONED_MS)
        await orUnavailable(rm(file, { force: true }));
    }
  }
}

/** Writes and flushes. Disk errors become {@link FilesUnavailable}; errors from `content` pass through. */
async function write(handle: FileHandle, content: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of content) {
    await orUnavailable(handle.writeFile(chunk));
    bytes += chunk.length;
  }
  await orUnavailable(handle.sync());
  return bytes;
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** Wraps a system error without its message, which would contain a path. */
function away(cause: unknown): FilesUnavailable {
  return new FilesUnavailable(`the file folder is unavailable (${codeOf(cause) ?? "unknown"})`);
}

async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw away(error);
  }
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw away(error);
  }
}
