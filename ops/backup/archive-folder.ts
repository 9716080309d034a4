import { randomUUID } from "node:crypto";
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { syncFolder, writeFileAtomically } from "#runtime/atomic-file.ts";
import { errorCode } from "#runtime/lifecycle/refusal.ts";
import {
  ABANDONED_MS,
  type ArchivePlace,
  archivePath,
  fileOfName,
  isArchiveName,
  type KeptArchive,
  MARKER_FILE,
  nameOfFile,
  openArchiveFile,
  PlaceRefusal,
} from "./place.ts";

/** A file that is still written, or whose writer was killed. */
const UNFINISHED = /^\.registry-[0-9a-z-]+\.unfinished$/;

/** Archives in a folder of this machine, each whole or not there. */
export class ArchiveFolder implements ArchivePlace {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  get where(): string {
    return this.folder;
  }

  fileOf(archive: string): string {
    return isArchiveName(archive)
      ? path.join(this.folder, fileOfName(archive))
      : archivePath(archive);
  }

  holds(other: ArchivePlace): boolean {
    if (!(other instanceof ArchiveFolder)) return false;
    return !path.relative(this.folder, other.folder).startsWith("..");
  }

  /**
   * Writes an archive under another name, flushes it, and renames it. If that fails, nothing stays.
   * @throws {Refusal} the disk is full, or the folder cannot be written to.
   */
  async put(name: string, content: AsyncIterable<Uint8Array>): Promise<string> {
    const file = this.fileOf(name);
    const unfinished = path.join(this.folder, `.${name}-${randomUUID()}.unfinished`);
    try {
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

  async list(): Promise<KeptArchive[]> {
    const kept: KeptArchive[] = [];
    for (const file of (await this.#files()).sort()) {
      const name = nameOfFile(file);
      if (name === undefined) continue;
      const { size } = await stat(path.join(this.folder, file));
      kept.push({ name, bytes: size });
    }
    return kept;
  }

  async open(archive: string): Promise<Readable> {
    return openArchiveFile(this.fileOf(archive));
  }

  async remove(name: string): Promise<void> {
    await rm(this.fileOf(name), { force: true }).catch((error) => {
      throw explained(error, this.folder);
    });
  }

  async removeAbandoned(): Promise<void> {
    for (const name of await this.#files()) {
      const file = path.join(this.folder, name);
      if (!UNFINISHED.test(name)) continue;
      const { mtimeMs } = await stat(file);
      if (mtimeMs < Date.now() - ABANDONED_MS) await rm(file, { force: true });
    }
  }

  async readMarker(): Promise<string | undefined> {
    return readFile(path.join(this.folder, MARKER_FILE), "utf8").catch((error) => {
      if (errorCode(error) === "ENOENT") return undefined;
      throw explained(error, this.folder);
    });
  }

  async writeMarker(text: string): Promise<void> {
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      await writeFileAtomically(path.join(this.folder, MARKER_FILE), text, 0o600);
    } catch (error) {
      throw explained(error, this.folder);
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
      return new PlaceRefusal("full", `The disk that holds ${folder} is full: make room.`);
    case "EACCES":
    case "EPERM":
    case "EROFS":
    case "ENOTDIR":
    case "ENOENT":
    case "EEXIST":
      return new PlaceRefusal(
        "unwritable",
        `The folder ${folder} cannot be written to or read: make it available to this user.`,
      );
  }
  return error;
}
