import { randomUUID } from "node:crypto";
import { ABORTED, orAborted } from "#event-store/abort.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import {
  ARCHIVE_FORMAT,
  type Head,
  type Manifest,
  type Part,
  PRODUCT,
  signManifest,
} from "./archive/manifest.ts";
import { archiveOf } from "./archive/write-archive.ts";
import type { ArchivePlace } from "./place.ts";
import type { BackupContent, BackupSource } from "./source.ts";
import { partOfTable } from "./tables.ts";

/** Where the two archives of a backup go: never to the same place. */
export interface BackupPlaces {
  readonly data: ArchivePlace;
  readonly keys: ArchivePlace;
}

export interface MadeBackup {
  readonly name: string;
  readonly dataFile: string;
  readonly keysFile: string;
  readonly events: number;
  readonly files: number;
}

export interface BackupOptions {
  /** Whether a person asked for it. */
  readonly byHand?: boolean | undefined;
  /** Stops it. */
  readonly signal?: AbortSignal | undefined;
  /** Told the size of the archive so far. */
  readonly wrote?: ((bytes: number) => void) | undefined;
  readonly now?: (() => Date) | undefined;
}

export const EVENTS = "events";
export const FILES = "files";

/**
 * Writes the two archives of a backup.
 * @throws {Refusal} a disk is full, or a place cannot be written to: then nothing is left of it.
 * @throws the signal's reason, and then as well nothing is left.
 */
export async function writeBackup(
  source: BackupSource,
  places: BackupPlaces,
  { byHand = false, signal, wrote = () => undefined, now = () => new Date() }: BackupOptions = {},
): Promise<MadeBackup> {
  refuseOnePlace(places);
  const madeAt = now().toISOString();
  const name = `registry-${madeAt.toLowerCase().replaceAll(/[:.]/g, "-")}`;
  for (const place of [places.data, places.keys]) await place.removeAbandoned();
  const backup = randomUUID();
  const { log, version, neededKeys } = source;
  const headOf = (kind: Head["kind"]): Head => ({
    ...{ product: PRODUCT, format: ARCHIVE_FORMAT, backup, kind, log, version, madeAt, byHand },
    masterKeys: [...neededKeys],
  });
  const keys = signed(source, headOf("keys"), source.keys);
  const keysFile = await places.keys.put(name, until(signal, keys.bytes));
  try {
    const data = signed(source, headOf("data"), source.data);
    const dataFile = await places.data.put(name, until(signal, tallied(data.bytes, wrote)));
    const items = (part: string) => data.counted.get(part)?.items ?? 0;
    return { name, dataFile, keysFile, events: items(EVENTS), files: items(FILES) };
  } catch (error) {
    await places.keys.remove(name).catch(() => undefined);
    throw error;
  }
}

/** @throws {Refusal} who gets one of the archives must not get the other. */
export function refuseOnePlace({ data, keys }: BackupPlaces): void {
  if (data.holds(keys) || keys.holds(data))
    throw new Refusal(
      "The keys must not be kept where the archive is: let BACKUP_KEYS_URL name another folder than BACKUP_URL, beside it or elsewhere.",
    );
}

/** The bytes of an archive, and what its parts come to once they are read. */
function signed(
  { masterKey, ledger }: BackupSource,
  head: Head,
  { tables, migrations, entries }: BackupContent,
): { bytes: AsyncGenerator<Uint8Array, void, void>; counted: ReadonlyMap<string, Part> } {
  const columns = new Map(tables.map((table) => [partOfTable(table.name), table.columns]));
  const counted = new Map<string, Part>();
  const mark = ledger && { id: ledger.id, bytes: ledger.bytes, sha256: ledger.sha256 };
  const bytes = archiveOf(head, entries(), (sums) => {
    for (const [part, sum] of sums) {
      const listed = columns.get(part);
      counted.set(part, { ...sum, ...(listed ? { columns: [...listed] } : {}) });
    }
    const parts = Object.fromEntries(counted);
    const manifest = { ...head, parts, migrations, ...(mark ? { ledger: mark } : {}) };
    return signManifest(manifest satisfies Omit<Manifest, "mac">, masterKey);
  });
  return { bytes, counted };
}

/** The bytes of an archive. @param wrote is told after each piece how many they are so far. */
async function* tallied(
  content: AsyncIterable<Uint8Array>,
  wrote: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, void> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    yield chunk;
    wrote(bytes);
  }
}

/**
 * The bytes of an archive until the signal stops it, at the latest before its last one. It does not wait for a store
 * that does not answer: what is half written is removed, and the connections are closed.
 */
async function* until(
  signal: AbortSignal | undefined,
  content: AsyncGenerator<Uint8Array, void, void>,
): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const next = await orAborted(content.next(), signal);
      if (next === ABORTED) throw signal?.reason;
      signal?.throwIfAborted();
      if (next.done) return;
      yield next.value;
    }
  } finally {
    const ended = content.return();
    if (signal?.aborted) ended.catch(() => undefined);
    else await ended;
  }
}
