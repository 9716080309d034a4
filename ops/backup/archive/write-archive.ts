import { createHash, type Hash } from "node:crypto";
import { once } from "node:events";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import { type Pack, pack } from "tar-stream";
import { HEAD, type Head, MANIFEST, type Part } from "./manifest.ts";

/** A file of the archive: its size in bytes is known before it is written. */
export interface Entry {
  /** Part and name, for instance `events/000001`. */
  readonly name: string;
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** How many events, rows or files it holds. */
  readonly items: number;
}

/** Counts and hashes what goes into a part, or comes out of it. */
export class PartSum {
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
export function partOf(name: string): string {
  return name.slice(0, name.lastIndexOf("/"));
}

/**
 * The bytes of an archive: a tar of its head, the entries, and the manifest, compressed by zstd. It holds
 * one chunk of an entry in memory.
 * @param manifest makes the last entry of the parts' sums.
 */
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
  // Whoever fails first tells why; the other ends with it.
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
