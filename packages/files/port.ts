import type { Readable } from "node:stream";

/** Stores bytes under an ID. Adapters know nothing about keys or contents, and pass `contract-suite.ts`. */

/** A completely stored file. */
export interface StoredFile {
  readonly id: string;
  /** Size as stored. */
  readonly bytes: number;
  readonly storedAt: Date;
}

/** A byte range: `start` is inclusive and counted from 0, `end` exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The port. Every method throws {@link FilesUnavailable}, and a TypeError for an ID that {@link isFileId} rejects. */
export interface FileStore {
  /**
   * Stores a file atomically: readers never see part of it. It is durable once the promise resolves.
   * @param limit maximum size in bytes.
   * @returns the size in bytes.
   * @throws {FileExists} the existing file is unchanged.
   * @throws {FileTooLarge} and whatever `content` throws; then nothing is stored.
   */
  put(id: string, content: AsyncIterable<Uint8Array>, limit: number): Promise<number>;

  /** Returns the size in bytes; undefined if there is no such file. */
  size(id: string): Promise<number | undefined>;

  /**
   * Reads a file, or the part of a range that exists. The stream holds a connection or a file open, so a caller
   * that doesn't read to the end must destroy it.
   * @returns undefined if there is no such file. The stream fails with {@link FilesUnavailable} if it ends early.
   */
  get(id: string, range?: ByteRange): Promise<Readable | undefined>;

  /** Deletes files, ignoring those that don't exist. */
  delete(ids: readonly string[]): Promise<void>;

  /** Lists all files lazily in ID order. @param olderThan skips files stored at or after this time. */
  list(olderThan?: Date): AsyncIterable<StoredFile>;

  /** Resolves if files can currently be read and written. */
  ping(): Promise<void>;

  close(): Promise<void>;
}

/** The store timed out, is full or is down; the outcome is unknown. */
export class FilesUnavailable extends Error {
  override readonly name = "FilesUnavailable";

  /** Whether the store answered with a refusal, such as of the credentials. */
  get isRefusal(): boolean {
    return /\(4\d\d\)$/.test(this.message);
  }
}

/** A file with this ID exists. Files are never replaced. */
export class FileExists extends Error {
  override readonly name = "FileExists";
}

/** A file exceeds its limit. */
export class FileTooLarge extends Error {
  override readonly name = "FileTooLarge";
  readonly limit: number;
  constructor(limit: number) {
    super(`the file exceeds ${limit} bytes`);
    this.limit = limit;
  }
}

/** Whether an ID is valid. IDs become names of files and objects, and parts of key names. */
export function isFileId(id: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,99}$/.test(id);
}

/** @throws {TypeError} */
export function checkFileId(id: string): void {
  if (!isFileId(id)) throw new TypeError("a file ID must be 1 to 100 characters of a-z, 0-9 and -");
}

/** Passes content through, up to a limit in bytes. @throws {FileTooLarge} */
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
    throw new TypeError("a range must be two whole numbers, start first");
}

/** Clamps a range to a file's size. */
export function clip(range: ByteRange | undefined, bytes: number): ByteRange {
  const { start, end } = range ?? { start: 0, end: bytes };
  return { start: Math.min(start, bytes), end: Math.min(end, bytes) };
}

/** Reports the file store in `/readyz`. It never makes a service "not ready": everything else works without it. */
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
