import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
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
import { errorCode, Refusal } from "#runtime/lifecycle/refusal.ts";

/** The backup failed because of where it is kept. */
export class PlaceRefusal extends Refusal {
  readonly reason: "full" | "unwritable";

  constructor(reason: "full" | "unwritable", message: string) {
    super(message);
    this.reason = reason;
  }
}

const NAME = /^registry-[0-9a-z-]{1,60}$/;
const ENDING = ".tar.zst";
/** The file that identifies the owner of a place. */
export const MARKER_FILE = "registry-place.json";
/** After this long without a write, an unfinished archive counts as abandoned, in milliseconds. */
export const ABANDONED_MS = 86_400_000;

/** Whether it is the name of a kept archive rather than a path. */
export const isArchiveName = (archive: string): boolean => NAME.test(archive);

/** An archive's file name within its place. */
export const fileOfName = (name: string): string => name + ENDING;

/** The name of the archive in a file; undefined for any other file. */
export function nameOfFile(file: string): string | undefined {
  const name = file.endsWith(ENDING) ? file.slice(0, -ENDING.length) : "";
  return isArchiveName(name) ? name : undefined;
}

export interface KeptArchive {
  readonly name: string;
  readonly bytes: number;
}

/** Port for storing archives, each either complete or absent. */
export interface ArchivePlace {
  /** Its location, without credentials. */
  readonly where: string;
  /** The location of an archive, given its name or its path on this machine, without credentials. */
  fileOf(archive: string): string;
  /** Whether the other place is this one or inside it. */
  holds(other: ArchivePlace): boolean;
  /**
   * Stores an archive completely or not at all.
   * @returns its location.
   * @throws {PlaceRefusal} full or not writable.
   */
  put(name: string, content: AsyncIterable<Uint8Array>): Promise<string>;
  /** Lists the archives, oldest first. */
  list(): Promise<KeptArchive[]>;
  /** @throws {Refusal} if there is none. */
  open(archive: string): Promise<Readable>;
  remove(name: string): Promise<void>;
  /** Removes files left by killed writers. */
  removeAbandoned(): Promise<void>;
  /** Returns the text of the marker; undefined if there is none. */
  readMarker(): Promise<string | undefined>;
  /** Creates the place if necessary. Nothing else does, so that nothing is stored without a marker. */
  writeMarker(text: string): Promise<void>;
}

/** @throws {Refusal} if there is no such file. */
export async function openArchiveFile(file: string): Promise<Readable> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new Refusal(`There is no archive ${file}.`);
  return createReadStream(file);
}

/** The absolute path of an archive that was given by path. */
export const archivePath = (archive: string): string => path.resolve(archive);

/** The two archives meant by a name or path. Without a path for them, the keys are in the usual place. */
export function backupNames(archive: string, keys?: string): { data: string; keys: string } {
  return { data: archive, keys: keys ?? nameOfFile(path.basename(archive)) ?? archive };
}

/** A file still being written, or left by a killed writer. */
const UNFINISHED = /^\.registry-[0-9a-z-]+\.unfinished$/;

/** Archives in a local folder, each either complete or absent. */
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

  /** Writes an archive completely or not at all. @throws {Refusal} if the disk is full or the folder not writable. */
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
      return new PlaceRefusal("full", `The disk that holds ${folder} is full: free some space.`);
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
