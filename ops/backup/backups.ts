import { randomUUID } from "node:crypto";
import type { KeptBackup } from "#contracts/http/backups.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { ABORTED, orAborted } from "#event-store/follow-log.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { archiveOf, type ReadEntry, readArchive, readHeadOf } from "./archive.ts";
import {
  ARCHIVE_FORMAT,
  EVENTS,
  FILES,
  type Head,
  type Manifest,
  missingVersions,
  type Part,
  PRODUCT,
  signManifest,
} from "./manifest.ts";
import { claimPlaces, type PlaceMemory } from "./markers.ts";
import { type ArchivePlace, PlaceRefusal } from "./place.ts";
import type { BackupContent, BackupSource } from "./source.ts";
import { partOfTable } from "./tables.ts";

/** Where the two archives of a backup go, never to the same place. */
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
  /** Whether a person requested it. */
  readonly byHand?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the size of the archive so far. */
  readonly wrote?: ((bytes: number) => void) | undefined;
  readonly now?: (() => Date) | undefined;
}

/**
 * Writes both archives of a backup; on failure it leaves nothing behind.
 * @throws {Refusal} or the signal's reason.
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

/** @throws {Refusal} as whoever gets one of the archives must not get the other. */
function refuseOnePlace({ data, keys }: BackupPlaces): void {
  if (data.holds(keys) || keys.holds(data))
    throw new Refusal(
      "The keys must not be kept with the archive: set BACKUP_KEYS_URL to a different folder than BACKUP_URL, and not one inside it.",
    );
}

/** Yields the bytes of an archive, with a signed manifest of its parts. */
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

/** Passes on the bytes of an archive. @param wrote called after each chunk with the total so far. */
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

/** Passes on the bytes of an archive until the signal aborts, even while a store does not respond. */
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

/** The new backup is complete and kept, but so are older ones that should have been removed. */
export class NotRotated extends Refusal {
  constructor(name: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`The backup ${name} is complete and kept, but older ones couldn't be removed: ${why}`, {
      cause,
    });
  }
}

export interface KeepOptions extends BackupOptions {
  /** The registry's own record of the places. */
  readonly memory: PlaceMemory;
  /** How many days of backups to keep, see `backupsToRemove`. */
  readonly days: number;
  readonly newPlace?: boolean | undefined;
}

/**
 * Makes a backup in the registry's own places, reads it to the end, and only then removes older ones. An
 * incomplete backup removes itself and no other.
 * @throws {Refusal} from `claimPlaces`: nothing was written; from {@link writeBackup} and {@link verifyBackup}:
 * nothing is left of it.
 * @throws {NotRotated}
 * @throws the signal's reason; nothing is left then either.
 */
export async function keepBackup(
  source: BackupSource,
  places: BackupPlaces,
  { memory, days, newPlace, ...options }: KeepOptions,
): Promise<Rotation & { readonly made: MadeBackup }> {
  const made = await makeWhole(source, places, { memory, newPlace, ...options });
  const rotation = await rotateBackups(places, made.name, source.log, days).catch((error) => {
    throw new NotRotated(made.name, error);
  });
  return { made, ...rotation };
}

async function makeWhole(
  source: BackupSource,
  places: BackupPlaces,
  { memory, newPlace, ...options }: Omit<KeepOptions, "days">,
): Promise<MadeBackup> {
  try {
    refuseOnePlace(places);
    await claimPlaces(places, source.log, memory, newPlace);
    const made = await writeBackup(source, places, options);
    const names = { data: made.name, keys: made.name };
    try {
      await verifyBackup(names, places, source.masterKeys, options.signal);
    } catch (error) {
      // Keys first: the archive cannot be opened without them.
      for (const place of [places.keys, places.data])
        await place.remove(made.name).catch(() => undefined);
      throw error;
    }
    return made;
  } catch (error) {
    throw error instanceof PlaceRefusal
      ? new PlaceRefusal(error.reason, `${error.message} No backup was made.`)
      : error;
  }
}

/** The two archives of a backup: their names in the usual places, or their paths. */
export interface BackupNames {
  readonly data: string;
  readonly keys: string;
}

/** A listed backup and the log it belongs to. */
export interface ListedBackup extends KeptBackup {
  /** ID of its log, if an archive states it. */
  readonly log?: string;
}

/**
 * Lists backups in the usual places, oldest first.
 * @param masterKeys current one first.
 * @throws {Refusal} unreadable.
 */
export async function listBackups(
  places: BackupPlaces,
  masterKeys: readonly Buffer[],
): Promise<ListedBackup[]> {
  const [data, keys] = [await sizesIn(places.data), await sizesIn(places.keys)];
  const names = [...new Set([...data.keys(), ...keys.keys()])].sort();
  return Promise.all(
    names.map(async (name) => {
      const heads = await Promise.all([
        data.has(name) ? headIn(places.data, name) : undefined,
        keys.has(name) ? headIn(places.keys, name) : undefined,
      ]);
      const bytes = (data.get(name) ?? 0) + (keys.get(name) ?? 0);
      const has = { data: data.has(name), keys: keys.has(name) };
      return { name, bytes, ...described(heads, has, masterKeys) };
    }),
  );
}

async function sizesIn(place: ArchivePlace): Promise<Map<string, number>> {
  return new Map((await place.list()).map(({ name, bytes }) => [name, bytes]));
}

/** Returns undefined if it cannot be read or is gone by now. */
async function headIn(place: ArchivePlace, name: string): Promise<Head | undefined> {
  try {
    return await readHeadOf(await place.open(name), name);
  } catch {
    return undefined;
  }
}

function described(
  [data, keys]: readonly (Head | undefined)[],
  has: Readonly<Record<keyof BackupNames, boolean>>,
  masterKeys: readonly Buffer[],
): Omit<ListedBackup, "name" | "bytes"> {
  const head = data ?? keys;
  const lacks = (given: readonly Buffer[]) => !head || missingVersions(head, given).length > 0;
  const stateOf = (): KeptBackup["state"] => {
    if (!has.data) return "no_archive";
    if (!has.keys) return "no_keys";
    if (!data || !keys) return "unreadable";
    if (data.kind !== "data" || keys.kind !== "keys" || data.backup !== keys.backup)
      return "mismatched";
    return lacks(masterKeys) ? "other_key" : "opens";
  };
  return {
    ...omitUndefined({ log: head?.log, made_at: head?.madeAt, by_hand: head?.byHand }),
    state: stateOf(),
    key_versions: head?.masterKeys.map(({ version }) => version) ?? [],
    current_key: !lacks(masterKeys.slice(0, 1)),
  };
}

/** The UTC day on which a backup was made; undefined for one named by a person. */
export const dayOf = (name: string): string | undefined =>
  /^registry-(\d{4}-\d{2}-\d{2})t/.exec(name)?.[1];

/**
 * Returns the backups to remove: all except those of the last `days` days that have backups. Counting days
 * rather than backups ensures that no number of backups in one day displaces another day's.
 * @param names of complete backups.
 * @param days how many of the last days to keep.
 */
export function backupsToRemove(names: readonly string[], days: number): string[] {
  const all = [...new Set(names.flatMap((name) => dayOf(name) ?? []))].sort();
  const old = new Set(all.slice(0, -days));
  return names.filter((name) => old.has(dayOf(name) ?? ""));
}

/** What a rotation removed, and what it kept because its other half is missing. */
export interface Rotation {
  readonly removed: readonly string[];
  readonly lone: { readonly archives: number; readonly keys: number };
}

/**
 * Removes old backups of a registry. A backup counts only if both of its archives exist and belong together,
 * and its keys are removed only after its archive.
 * @param made the backup just made. If it is missing, the places have changed since.
 * @param log ID of the registry's log. Backups of other logs are kept.
 * @param days see {@link backupsToRemove}.
 * @throws {Refusal} if the new backup is missing.
 */
async function rotateBackups(
  places: BackupPlaces,
  made: string,
  log: string,
  days: number,
): Promise<Rotation> {
  const listed = await listBackups(places, []);
  const isWhole = ({ state }: ListedBackup) => state === "opens" || state === "other_key";
  const whole = listed.filter((each) => isWhole(each) && each.log === log);
  const names = whole.map(({ name }) => name);
  if (!names.includes(made))
    throw new Refusal(`${made} is no longer in both places: is a disk gone? Nothing was removed.`);
  const removed = backupsToRemove(names, days).filter((name) => dayOf(name) !== dayOf(made));
  for (const name of removed) {
    await places.data.remove(name);
    await places.keys.remove(name);
  }
  const count = (wanted: KeptBackup["state"]) =>
    listed.filter(({ state }) => state === wanted).length;
  return { removed, lone: { archives: count("no_keys"), keys: count("no_archive") } };
}

/** A backup whose two archives were read to the end and belong together. */
export interface VerifiedBackup {
  readonly data: Manifest;
  readonly keys: Manifest;
}

/**
 * Reads both archives to the end.
 * @param signal stops it.
 * @throws {Refusal} if one of them is missing, truncated, changed, foreign, of a newer version or needs another
 * master key, or if they do not belong together.
 * @throws the signal's reason.
 */
export async function verifyBackup(
  names: BackupNames,
  places: BackupPlaces,
  masterKeys: readonly Buffer[],
  signal?: AbortSignal,
): Promise<VerifiedBackup> {
  const goOn = async () => signal?.throwIfAborted();
  const data = await readKept("data", names, places, masterKeys, goOn);
  const keys = await readKept("keys", names, places, masterKeys, goOn);
  await goOn();
  if (data.kind !== "data" || keys.kind !== "keys" || data.backup !== keys.backup)
    throw new Refusal(
      `${whatOf("data", names, places)} and ${whatOf("keys", names, places)} are from different backups: they can't be restored.`,
    );
  return { data, keys };
}

/** Reads one of the archives; see {@link readArchive}. */
export async function readKept(
  kind: keyof BackupNames,
  names: BackupNames,
  places: BackupPlaces,
  masterKeys: readonly Buffer[],
  use?: (entry: ReadEntry) => Promise<void>,
): Promise<Manifest> {
  const source = await places[kind].open(names[kind]);
  return readArchive(source, masterKeys, whatOf(kind, names, places), use);
}

function whatOf(kind: keyof BackupNames, names: BackupNames, places: BackupPlaces): string {
  return `The archive ${places[kind].fileOf(names[kind])}`;
}
