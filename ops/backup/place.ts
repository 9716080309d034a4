import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { syncFolder } from "#runtime/atomic-file.ts";
import { chooseByScheme } from "#runtime/config/urls.ts";
import { errorCode, Refusal } from "#runtime/lifecycle/refusal.ts";

/** No backup was made because of the place where it is kept. */
export class PlaceRefusal extends Refusal {
  readonly reason: "full" | "unwritable";

  constructor(reason: "full" | "unwritable", message: string) {
    super(message);
    this.reason = reason;
  }
}

const ENDING = ".tar.zst";
const NAME = /^registry-[0-9a-z-]{1,60}$/;
/** A file that is still written, or whose writer was killed. */
const UNFINISHED = /^\.registry-[0-9a-z-]+\.unfinished$/;
/** Nobody writes to one archive without a pause of this length, in milliseconds. */
const ABANDONED_MS = 86_400_000;

export interface KeptArchive {
  readonly name: string;
  readonly bytes: number;
}

/**
 * Where archives are kept.
 * @param variable that holds the URL, for the message.
 * @throws {ConfigInvalid}
 */
export function openPlace(variable: string, url: string): ArchiveFolder {
  return chooseByScheme(variable, url, { file: () => new ArchiveFolder(fileURLToPath(url)) });
}

/** Archives in a folder of this machine, each whole or not there. */
export class ArchiveFolder {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** The whole path of an archive, by its name or by its path. */
  fileOf(archive: string): string {
    return NAME.test(archive) ? path.join(this.folder, archive + ENDING) : path.resolve(archive);
  }

  /**
   * Writes an archive under another name, flushes it, and renames it. If that fails, nothing stays.
   * @throws {Refusal} the disk is full, or the folder cannot be written to.
   */
  async put(name: string, content: AsyncIterable<Uint8Array>): Promise<string> {
    const file = this.fileOf(name);
    const unfinished = path.join(this.folder, `.${name}-${randomUUID()}.unfinished`);
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      const handle = await open(unfinished, "wx", 0o600);
      try {
        await write(handle, content);
      } finally {
        await handle.close();
      }
      await rename(unfinished, file);
      await syncFolder(this.folder);
      return file;
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw explained(error, this.folder);
    }
  }

  /** The archives, the oldest first. */
  async list(): Promise<KeptArchive[]> {
    const kept: KeptArchive[] = [];
    for (const file of (await this.#files()).sort()) {
      const name = file.slice(0, -ENDING.length);
      if (!file.endsWith(ENDING) || !NAME.test(name)) continue;
      const { size } = await stat(path.join(this.folder, file));
      kept.push({ name, bytes: size });
    }
    return kept;
  }

  /** @throws {Refusal} there is none. */
  async open(archive: string): Promise<Readable> {
    const file = this.fileOf(archive);
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile()) throw new Refusal(`There is no archive ${file}.`);
    return createReadStream(file);
  }

  async remove(name: string): Promise<void> {
    await rm(this.fileOf(name), { force: true });
  }

  /** Removes what writers that were killed have left. */
  async removeAbandoned(): Promise<void> {
    for (const name of await this.#files()) {
      const file = path.join(this.folder, name);
      if (!UNFINISHED.test(name)) continue;
      const { mtimeMs } = await stat(file);
      if (mtimeMs < Date.now() - ABANDONED_MS) await rm(file, { force: true });
    }
  }

  async #files(): Promise<string[]> {
    return readdir(this.folder).catch((error) => {
      if (errorCode(error) === "ENOENT") return [];
      throw explained(error, this.folder);
    });
  }
}

async function write(handle: FileHandle, content: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of content) await handle.writeFile(chunk);
  await handle.sync();
}

function explained(error: unknown, folder: string): unknown {
  switch (errorCode(error)) {
    case "ENOSPC":
    case "EDQUOT":
    case "EFBIG":
      return new PlaceRefusal(
        "full",
        `The disk that holds ${folder} is full: make room. No backup was made.`,
      );
    case "EACCES":
    case "EPERM":
    case "EROFS":
    case "ENOTDIR":
    case "EEXIST":
      return new PlaceRefusal(
        "unwritable",
        `The folder ${folder} cannot be written to: make it writable for this user. No backup was made.`,
      );
  }
  return error;
}
