import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { Refusal } from "#runtime/lifecycle/refusal.ts";

/** No backup was made because of the place where it is kept. */
export class PlaceRefusal extends Refusal {
  readonly reason: "full" | "unwritable";

  constructor(reason: "full" | "unwritable", message: string) {
    super(message);
    this.reason = reason;
  }
}

const NAME = /^registry-[0-9a-z-]{1,60}$/;
const ENDING = ".tar.zst";
/** The file that says whose place it is. */
export const MARKER_FILE = "registry-place.json";
/** Nobody writes to one archive without a pause of this length, in milliseconds. */
export const ABANDONED_MS = 86_400_000;

/** Whether it is the name of a kept archive, and not the path of one elsewhere. */
export const isArchiveName = (archive: string): boolean => NAME.test(archive);

/** The file of an archive, without its place. */
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

/** Port: where archives are kept, each whole or not there. */
export interface ArchivePlace {
  /** Where it is, without credentials. */
  readonly where: string;
  /** Where an archive is, by its name or by its path on this machine, without credentials. */
  fileOf(archive: string): string;
  /** Whether the other place is this one, or within it. */
  holds(other: ArchivePlace): boolean;
  /**
   * Keeps an archive. It is there once it is whole; if that fails, nothing stays.
   * @returns where it is.
   * @throws {PlaceRefusal} the place is full, or cannot be written to.
   */
  put(name: string, content: AsyncIterable<Uint8Array>): Promise<string>;
  /** The archives, the oldest first. */
  list(): Promise<KeptArchive[]>;
  /** @throws {Refusal} there is none. */
  open(archive: string): Promise<Readable>;
  remove(name: string): Promise<void>;
  /** Removes what writers that were killed have left. */
  removeAbandoned(): Promise<void>;
  /** The text of the marker; undefined where there is none. */
  readMarker(): Promise<string | undefined>;
  /** Makes the place if need be: nothing else does, so that nothing is put where no marker is. */
  writeMarker(text: string): Promise<void>;
}

/** @throws {Refusal} there is no such file. */
export async function openArchiveFile(file: string): Promise<Readable> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new Refusal(`There is no archive ${file}.`);
  return createReadStream(file);
}

/** The whole path of an archive that somebody named by its path. */
export const archivePath = (archive: string): string => path.resolve(archive);

/**
 * The two archives that a person means by a name or a path. Without a path of their own, the keys are those of the
 * same name in the usual place.
 */
export function backupNames(archive: string, keys?: string): { data: string; keys: string } {
  return { data: archive, keys: keys ?? nameOfFile(path.basename(archive)) ?? archive };
}
