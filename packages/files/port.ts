import type { Readable } from "node:stream";

/** Bytes under an id. An adapter knows nothing of keys and contents, and passes `contract-suite.ts`. */

/** A file that is in the store whole. */
export interface StoredFile {
  readonly id: string;
  /** As stored. */
  readonly bytes: number;
  readonly storedAt: Date;
}

/** A part of a file: its first byte, counted from 0, and the one after its last. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Port. Every method throws {@link FilesUnavailable}, and a TypeError for an id that {@link isFileId} refuses. */
export interface FileStore {
  /**
   * Stores a file, whole or not at all: no one ever sees a part of it. It is durable when the
   * promise resolves.
   * @param limit most bytes that it may have.
   * @returns how many it has.
   * @throws {FileExists} it stays as it was.
   * @throws {FileTooLarge} and whatever `content` throws; then nothing is stored.
   */
  put(id: string, content: AsyncIterable<Uint8Array>, limit: number): Promise<number>;

  /** Bytes of the file; undefined if there is none. */
  size(id: string): Promise<number | undefined>;

  /**
   * Reads a file, or the part of a range that exists. Anyone who does not read to the end must destroy
   * the stream, which holds a connection or a file open.
   * @returns undefined if there is none. The stream fails with {@link FilesUnavailable} if it ends
   * early.
   */
  get(id: string, range?: ByteRange): Promise<Readable | undefined>;

  /** Removes files; those that do not exist are no error. */
  delete(ids: readonly string[]): Promise<void>;

  /** All files in the order of their ids, read as they are asked for. @param olderThan leaves out later ones. */
  list(olderThan?: Date): AsyncIterable<StoredFile>;

  /** Resolves if files can be read and written now. */
  ping(): Promise<void>;

  close(): Promise<void>;
}

/** The store did not answer in time, is full or is down; the outcome is unknown. */
export class FilesUnavailable extends Error {
  override readonly name = "FilesUnavailable";

  /** Whether the store did answer, and refused, for instance the credentials. */
  get isRefusal(): boolean {
    return /\(4\d\d\)$/.test(this.message);
  }
}

/** There is a file with this id. Files are never replaced. */
export class FileExists extends Error {
  override readonly name = "FileExists";
}

/** A file has more bytes than its limit. */
export class FileTooLarge extends Error {
  override readonly name = "FileTooLarge";
  readonly limit: number;
  constructor(limit: number) {
    super(`a file has more than ${limit} bytes`);
    this.limit = limit;
  }
}

/** Ids are names of files and of objects, and parts of names of keys. */
export function isFileId(id: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,99}$/.test(id);
}

/** @throws {TypeError} */
export function checkFileId(id: string): void {
  if (!isFileId(id)) throw new TypeError("the id of a file has 1 to 100 of a-z, 0-9 and -");
}

/** Passes content on, up to a limit. @throws {FileTooLarge} */
export async function* upTo(
  limit: number,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > limit) throw new FileTooLarge(limit);
    yield chunk;
  }
}

/** @throws {TypeError} */
export function checkRange(range: ByteRange | undefined): void {
  if (!range) return;
  const { start, end } = range;
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start)
    throw new TypeError("a range has whole numbers, the smaller one first");
}

/** The part of a range that a file of that size has. */
export function clip(range: ByteRange | undefined, bytes: number): ByteRange {
  const { start, end } = range ?? { start: 0, end: bytes };
  return { start: Math.min(start, bytes), end: Math.min(end, bytes) };
}

/** Reports the file store in `/readyz`. It is never "not ready": a service does everything else without it. */
export function filesCheck(files: Pick<FileStore, "ping">) {
  return {
    files: async () => {
      const reachable = await files.ping().then(
        () => true,
        () => false,
      );
      return { ok: true, detail: { reachable } };
    },
  };
}
