import { createHash, type Hash } from "node:crypto";
import { type EventEmitter, once } from "node:events";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createZstdCompress, createZstdDecompress } from "node:zlib";
import { type Extract, extract, type Pack, pack } from "tar-stream";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import {
  changed,
  HEAD,
  type Head,
  MANIFEST,
  MANIFEST_LIMIT,
  type Manifest,
  type Part,
  readHead,
  readManifest,
  requireKeys,
} from "./manifest.ts";

/** A file in the archive, whose size in bytes is known before it is written. */
export interface Entry {
  /** Part and name, such as `events/000001`. */
  readonly name: string;
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Number of events, rows or files in it. */
  readonly items: number;
}

/** Counts and hashes the content of a part while it is written or read. */
class PartSum {
  readonly #hash: Hash = createHash("sha256");
  #entries = 0;
  #bytes = 0;
  #items = 0;

  begin(name: string, size: number): void {
    this.#hash.update(`${name} ${size}\n`);
    this.#entries += 1;
    this.#bytes += size;
  }

  update(chunk: Uint8Array): void {
    this.#hash.update(chunk);
  }

  add(items: number): void {
    this.#items += items;
  }

  get(): Omit<Part, "columns"> {
    const sha256 = this.#hash.copy().digest("hex");
    return { entries: this.#entries, bytes: this.#bytes, items: this.#items, sha256 };
  }
}

/** Part of an entry: everything before the last slash. */
function partOf(name: string): string {
  return name.slice(0, name.lastIndexOf("/"));
}

/** An archive's bytes: a zstd tar of head, entries, manifest, one chunk in memory. @param manifest from the sums. */
export async function* archiveOf(
  head: Head,
  entries: AsyncIterable<Entry>,
  manifest: (parts: ReadonlyMap<string, Omit<Part, "columns">>) => string,
): AsyncGenerator<Uint8Array, void, void> {
  const packed = pack();
  const compressed = createZstdCompress();
  const compressing = pipeline(Readable.from(packed), compressed);
  const filling = fill(packed, head, entries, manifest).catch((error: Error) =>
    packed.destroy(error),
  );
  try {
    for await (const chunk of compressed) yield chunk as Uint8Array;
    await compressing;
  } finally {
    packed.destroy();
    compressed.destroy();
    await Promise.allSettled([filling, compressing]);
  }
}

async function fill(
  packed: Pack,
  head: Head,
  entries: AsyncIterable<Entry>,
  manifest: (parts: ReadonlyMap<string, Omit<Part, "columns">>) => string,
): Promise<void> {
  const sums = new Map<string, PartSum>();
  await writeEntry(packed, wholeEntry(HEAD, JSON.stringify(head)));
  for await (const entry of entries) {
    const part = partOf(entry.name);
    const sum = sums.get(part) ?? new PartSum();
    sums.set(part, sum);
    await writeEntry(packed, entry, sum);
    sum.add(entry.items);
  }
  const parts = new Map([...sums].map(([name, sum]) => [name, sum.get()]));
  await writeEntry(packed, wholeEntry(MANIFEST, manifest(parts)));
  packed.finalize();
}

function wholeEntry(name: string, text: string): Entry {
  const bytes = Buffer.from(text);
  return { name, size: bytes.length, content: [bytes], items: 0 };
}

async function writeEntry(packed: Pack, entry: Entry, sum?: PartSum): Promise<void> {
  const { name, size, content } = entry;
  const written = Promise.withResolvers<void>();
  // Whichever fails first explains why; the other one ends with it.
  written.promise.catch(() => undefined);
  sum?.begin(name, size);
  const sink = packed.entry({ name, size, mode: 0o600 }, (error) =>
    error ? written.reject(error) : written.resolve(),
  );
  sink.on("error", written.reject);
  let bytes = 0;
  for await (const chunk of content) {
    sum?.update(chunk);
    bytes += chunk.length;
    if (bytes > size) break;
    if (!sink.write(chunk)) await Promise.race([once(sink, "drain"), written.promise]);
  }
  if (bytes !== size) throw new Error(`${name} has ${bytes} bytes instead of ${size}`);
  sink.end(undefined);
  await written.promise;
}

/** An entry being read. Its content has to be consumed before the next one. */
export interface ReadEntry {
  readonly part: string;
  /** Without the part. */
  readonly name: string;
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Reads an archive to the end and compares it with its manifest, in constant memory.
 * @param what the archive, for the sentence of a refusal.
 * @param use called with each entry; anything it leaves unread is skipped. Nothing is verified before the
 * promise resolves: verify an archive before using its content.
 * @throws {Refusal} if it is truncated, changed, not an archive, of a newer version, or needs another master key.
 */
export async function readArchive(
  source: Readable,
  masterKeys: readonly Buffer[],
  what: string,
  use: (entry: ReadEntry) => Promise<void> = async () => undefined,
): Promise<Manifest> {
  const failed: unknown[] = [];
  const used = (entry: ReadEntry) =>
    use(entry).catch((error) => {
      failed.push(error);
      throw error;
    });
  try {
    return await read(source, masterKeys, what, used);
  } catch (error) {
    throw failed.includes(error) ? error : asRefusal(error, what);
  }
}

/** Reads only the first entry of an archive, without verifying it. @throws {Refusal} as {@link readArchive}. */
export async function readHeadOf(source: Readable, what: string): Promise<Head> {
  try {
    for await (const entry of entriesOf(source, what)) return await headIn(entry, what);
  } catch (error) {
    throw asRefusal(error, what);
  }
  throw cutOff(what);
}

async function headIn({ name, size, content }: RawEntry, what: string): Promise<Head> {
  return readHead(name === HEAD ? await textOf(size, content, what) : "", what);
}

async function textOf(size: number, content: Readable, what: string): Promise<string> {
  if (size > MANIFEST_LIMIT) throw changed(what);
  return (await buffer(content)).toString("utf8");
}

function cutOff(what: string): Refusal {
  return new Refusal(`${what} is truncated.`);
}

async function read(
  source: Readable,
  masterKeys: readonly Buffer[],
  what: string,
  use: (entry: ReadEntry) => Promise<void>,
): Promise<Manifest> {
  const sums = new Map<string, PartSum>();
  let head: Head | undefined;
  let manifest: Manifest | undefined;
  for await (const entry of entriesOf(source, what)) {
    if (manifest) throw changed(what);
    if (!head) {
      head = await headIn(entry, what);
      requireKeys(head, masterKeys, what);
      continue;
    }
    const { name, size, content } = entry;
    if (name === MANIFEST) {
      manifest = readManifest(await textOf(size, content, what), head, masterKeys, what);
      continue;
    }
    const part = partOf(name);
    const sum = sums.get(part) ?? new PartSum();
    sums.set(part, sum);
    sum.begin(name, size);
    const summed = summing(content, sum);
    await use({ part, name: name.slice(part.length + 1), size, content: summed });
    for await (const _ of summed);
  }
  if (!manifest) throw cutOff(what);
  compare(manifest, sums, what);
  return manifest;
}

function compare(manifest: Manifest, sums: ReadonlyMap<string, PartSum>, what: string): void {
  const parts = Object.entries(manifest.parts);
  if (parts.filter(([, { entries }]) => entries > 0).length !== sums.size) throw changed(what);
  for (const [name, expected] of parts) {
    const found = (sums.get(name) ?? new PartSum()).get();
    const isSame =
      found.entries === expected.entries &&
      found.bytes === expected.bytes &&
      (expected.entries === 0 || found.sha256 === expected.sha256);
    if (!isSame) throw changed(what);
  }
}

async function* summing(
  content: AsyncIterable<Uint8Array>,
  sum: PartSum,
): AsyncGenerator<Uint8Array, void, void> {
  for await (const chunk of content) {
    sum.update(chunk);
    yield chunk;
  }
}

interface RawEntry {
  readonly name: string;
  readonly size: number;
  readonly content: Readable;
}

async function* entriesOf(source: Readable, what: string): AsyncGenerator<RawEntry, void, void> {
  const plain = createZstdDecompress();
  const unpacked = extract();
  source.once("error", (error) => plain.destroy(error));
  source.pipe(plain);
  const reading = unpack(plain, unpacked);
  try {
    for await (const entry of unpacked) {
      const { name, size = 0, type } = entry.header;
      if (type !== "file") throw changed(what);
      yield { name, size, content: entry as unknown as Readable };
    }
    await reading;
  } finally {
    for (const stream of [unpacked, plain, source]) stream.destroy();
    await reading.catch(() => undefined);
  }
}

async function unpack(plain: Readable, into: Extract): Promise<void> {
  const closed = new AbortController();
  into.once("close", () => closed.abort());
  const drained = { signal: closed.signal };
  try {
    for await (const chunk of plain)
      if (!into.write(chunk)) await once(into as unknown as EventEmitter, "drain", drained);
    into.end(undefined);
  } catch (error) {
    into.destroy(error as Error);
    throw error;
  }
}

const CUT = /unexpected end|Premature close|ERR_STREAM_PREMATURE_CLOSE|ZSTD_error_srcSize/i;

/** Any failure to unpack means the archive is damaged, however zlib or the tar reader reports it. */
function asRefusal(error: unknown, what: string): unknown {
  const { code = "", message = "", syscall } = error as NodeJS.ErrnoException;
  if (error instanceof Refusal || syscall !== undefined) return error;
  if (CUT.test(`${code} ${message}`)) return cutOff(what);
  return new Refusal(
    `${what} isn't an archive of this program, or is damaged: it can't be restored.`,
    { cause: error },
  );
}
