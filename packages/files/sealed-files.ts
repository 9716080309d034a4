import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { subjects } from "#contracts/sealed.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import {
  FILE_HEADER_BYTES,
  type FileLayout,
  FileOpener,
  layoutOf,
  PIECE_BYTES,
  sealFile,
  storedBytesOf,
  storedPlace,
} from "#vault/sealing/file-seal.ts";
import {
  type ByteRange,
  checkRange,
  clip,
  type FileStore,
  FilesUnavailable,
  upTo,
} from "./port.ts";

/** A file's state, and its content if it can be read. */
export type FoundFile =
  | {
      readonly state: "present";
      /** Of the whole file, not of the range. */
      readonly bytes: number;
      /** The requested range. Holds nothing open until it is read; then read it to the end, or destroy it. */
      readonly content: Readable;
    }
  | { readonly state: "erased" }
  | { readonly state: "missing" };

/** The file's key was destroyed: nothing can be stored under its ID anymore. */
export class FileErased extends Error {
  override readonly name = "FileErased";
}

/**
 * Files encrypted with one key each. Destroying a key erases the file in every backup. Throws what its stores
 * throw.
 */
export class SealedFiles {
  readonly #files: FileStore;
  readonly #keys: KeyStore;

  constructor(stores: { readonly files: FileStore; readonly keys: KeyStore }) {
    this.#files = stores.files;
    this.#keys = stores.keys;
  }

  /**
   * Creates the file's key and stores the file atomically.
   * @param limit maximum size in bytes.
   * @param subject of the key; the file's own if absent.
   * @returns the size and the SHA-256 (hex) of the plain `content`.
   * @throws {FileErased} @throws {FileExists} @throws {FileTooLarge}
   */
  async put(
    id: string,
    content: AsyncIterable<Uint8Array>,
    limit: number,
    subject: string = subjects.file(id),
  ): Promise<{ readonly bytes: number; readonly sha256: string }> {
    const found = (await this.#keys.ensure([{ subject }])).get(subject);
    if (found?.state !== "present") throw new FileErased(`the key of file ${id} was destroyed`);
    const hash = createHash("sha256");
    let bytes = 0;
    async function* counted() {
      for await (const chunk of upTo(limit, content)) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    }
    await this.#files.put(id, sealFile(found.key, id, counted()), storedBytesOf(limit));
    await this.#removeIfErased(id, subject);
    return { bytes, sha256: hash.digest("hex") };
  }

  /**
   * @param range in bytes of the plain file, clamped to its end.
   * @throws {SealBroken} if the stored file was changed or cut off. `content` may fail with it too: only
   * authenticated bytes are passed on.
   */
  async get(
    id: string,
    range?: ByteRange,
    subject: string = subjects.file(id),
  ): Promise<FoundFile> {
    checkRange(range);
    const found = (await this.#keys.get([subject])).get(subject);
    if (found?.state === "destroyed") return { state: "erased" };
    const stored = found?.state === "present" ? await this.#files.size(id) : undefined;
    if (found?.state !== "present" || stored === undefined) return { state: "missing" };
    const layout = layoutOf(stored);
    // The last piece proves that nothing was cut off, and its padding gives the length.
    const [header, last] = await Promise.all([
      this.#read(id, { start: 0, end: FILE_HEADER_BYTES }),
      this.#read(id, { start: layout.lastStart, end: layout.storedBytes }),
    ]);
    const opener = new FileOpener(found.key, id, header, layout);
    const tail = opener.open(layout.pieces - 1, last);
    const bytes = (layout.pieces - 1) * PIECE_BYTES + tail.length;
    const wanted = clip(range, bytes);
    return { state: "present", bytes, content: this.#open(id, opener, layout, tail, wanted) };
  }

  /**
   * Erases files: destroys their keys, then deletes the stored bytes. Idempotent.
   * @param at time of the erasure (RFC 3339).
   * @param subjectOf returns the subject of a file's key; the file's own if absent.
   */
  async erase(
    ids: readonly string[],
    at: string,
    subjectOf: (id: string) => string = subjects.file,
  ): Promise<void> {
    await this.#keys.destroy(ids.map(subjectOf), at);
    await this.#files.delete(ids);
  }

  /** Deletes the file if it was erased during the write. */
  async #removeIfErased(id: string, subject: string): Promise<void> {
    if ((await this.#keys.get([subject])).get(subject)?.state === "present") return;
    await this.#files.delete([id]);
    throw new FileErased(`the key of file ${id} was destroyed during the write`);
  }

  async #read(id: string, range: ByteRange): Promise<Buffer> {
    return buffer(await this.#stream(id, range));
  }

  /** Opens the store's stream when the first byte is requested. */
  #open(
    id: string,
    opener: FileOpener,
    layout: FileLayout,
    tail: Buffer,
    { start, end }: ByteRange,
  ): Readable {
    const lastPiece = layout.pieces - 1;
    const first = Math.floor(start / PIECE_BYTES);
    // The last piece is already decrypted.
    const until = Math.min(Math.ceil(end / PIECE_BYTES), lastPiece);
    const stored = { start: storedPlace(first), end: storedPlace(until) };
    const part = (opened: Buffer, piece: number) => {
      const place = piece * PIECE_BYTES;
      return opened.subarray(Math.max(start - place, 0), Math.max(end - place, 0));
    };
    const source = () => this.#stream(id, stored);
    return lazyStream(async function* (open) {
      if (end > start && until > first) {
        let piece = first;
        for await (const opened of opener.openFrom(first, await open(source())))
          yield part(opened, piece++);
      }
      const rest = part(tail, lastPiece);
      if (end > start && rest.length > 0) yield rest;
    });
  }

  async #stream(id: string, range: ByteRange): Promise<Readable> {
    const stream = await this.#files.get(id, range);
    if (!stream) throw new FilesUnavailable("a file was removed while it was read");
    return stream;
  }
}

/** Returns a stream that opens its source at the first byte and releases it when destroyed. */
function lazyStream(
  read: (open: (source: Promise<Readable>) => Promise<Readable>) => AsyncIterable<Uint8Array>,
): Readable {
  let opened: Readable | undefined;
  const derived = Readable.from(
    read(async (source) => {
      opened = await source;
      if (derived.destroyed) opened.destroy();
      return opened;
    }),
    { objectMode: false },
  );
  derived.once("close", () => opened?.destroy());
  return derived;
}

/**
 * Passes a complete source through.
 * @param expected its size in bytes; any other is an error.
 * @param unavailable creates that error.
 */
export function wholeStream(
  source: Readable,
  expected: number,
  unavailable: (cause: unknown) => Error,
): Readable {
  async function* read(): AsyncGenerator<Uint8Array, void, void> {
    let bytes = 0;
    try {
      for await (const chunk of source as AsyncIterable<Uint8Array>) {
        bytes += chunk.length;
        yield chunk;
      }
    } catch (error) {
      throw unavailable(error);
    }
    if (bytes !== expected) throw unavailable(new Error("it ended early"));
  }
  // `read` sees the error when it gets there; until then there is no other listener.
  source.on("error", () => undefined);
  const whole = Readable.from(read(), { objectMode: false });
  whole.once("close", () => source.destroy());
  return whole;
}
