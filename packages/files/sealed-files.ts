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

/** What is known of a file, and its content if it can be read. */
export type FoundFile =
  | {
      readonly state: "present";
      /** Of the whole file. */
      readonly bytes: number;
      /** Of the range. Holds nothing open before it is read; then read to the end, or destroy it. */
      readonly content: Readable;
    }
  | { readonly state: "erased" }
  | { readonly state: "missing" };

/** The key of a file is destroyed: nothing can be stored under its id anymore. */
export class FileErased extends Error {
  override readonly name = "FileErased";
}

/** Files sealed under a key each, whose destruction erases the file in every backup. Throws as its stores do. */
export class SealedFiles {
  readonly #files: FileStore;
  readonly #keys: KeyStore;

  constructor(stores: { readonly files: FileStore; readonly keys: KeyStore }) {
    this.#files = stores.files;
    this.#keys = stores.keys;
  }

  /**
   * Makes the file's key and stores the file, whole or not at all.
   * @param limit most bytes that it may have.
   * @param subject of the key; the file's own when absent.
   * @returns the bytes and the SHA-256 (hex) of what `content` was.
   * @throws {FileErased} @throws {FileExists} @throws {FileTooLarge}
   */
  async put(
    id: string,
    content: AsyncIterable<Uint8Array>,
    limit: number,
    subject: string = subjects.file(id),
  ): Promise<{ readonly bytes: number; readonly sha256: string }> {
    const found = (await this.#keys.ensure([{ subject }])).get(subject);
    if (found?.state !== "present") throw new FileErased(`the key of ${id} is destroyed`);
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
   * @param range of the file's bytes; what it has beyond the file's end is left out.
   * @throws {SealBroken} the stored file was changed or cut off. `content` may fail with it too:
   * nothing is passed on that was not checked.
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
    // The last piece proves that nothing was cut off, and its padding says the length.
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
   * Erases files: destroys their keys, then removes what is stored. Repeating it changes nothing.
   * @param at RFC 3339 time of the erasure.
   * @param subjectOf the subject of a file's key; its own when absent.
   */
  async erase(
    ids: readonly string[],
    at: string,
    subjectOf: (id: string) => string = subjects.file,
  ): Promise<void> {
    await this.#keys.destroy(ids.map(subjectOf), at);
    await this.#files.delete(ids);
  }

  /** An erasure may have come while the file was written. */
  async #removeIfErased(id: string, subject: string): Promise<void> {
    if ((await this.#keys.get([subject])).get(subject)?.state === "present") return;
    await this.#files.delete([id]);
    throw new FileErased(`the key of ${id} was destroyed meanwhile`);
  }

  async #read(id: string, range: ByteRange): Promise<Buffer> {
    return buffer(await this.#stream(id, range));
  }

  /** Opens the store's stream when the first byte is asked for. */
  #open(
    id: string,
    opener: FileOpener,
    layout: FileLayout,
    tail: Buffer,
    { start, end }: ByteRange,
  ): Readable {
    const lastPiece = layout.pieces - 1;
    const first = Math.floor(start / PIECE_BYTES);
    // The last piece is open already.
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

/** A stream whose source is opened at the first byte, and released by destroying the stream. */
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

/** Passes a source on, whole. @param expected its bytes; fewer are an error. @param unavailable that error. */
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
  // `read` meets the error when it gets there; until then no one else listens.
  source.on("error", () => undefined);
  const whole = Readable.from(read(), { objectMode: false });
  whole.once("close", () => source.destroy());
  return whole;
}
