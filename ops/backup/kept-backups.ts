import { given } from "#contracts/given.ts";
import type { KeptBackup } from "#contracts/http/backups.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { type Head, type Manifest, missingVersions } from "./archive/manifest.ts";
import { type ReadEntry, readArchive, readHeadOf } from "./archive/read-archive.ts";
import type { BackupPlaces } from "./backup.ts";
import type { ArchivePlace } from "./place.ts";

/** The two archives of a backup: their names in the usual places, or their paths. */
export interface BackupNames {
  readonly data: string;
  readonly keys: string;
}

/** A backup as it is listed, and whose it is. */
export interface ListedBackup extends KeptBackup {
  /** Id of its log, where an archive says it. */
  readonly log?: string;
}

/**
 * The backups in the usual places, the oldest first. Only the beginning of each archive is read.
 * @param masterKeys those at hand, the current one first.
 * @throws {Refusal} a place cannot be read.
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

/** Undefined where it cannot be read, or is gone by now. */
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
    ...given({ log: head?.log, made_at: head?.madeAt, by_hand: head?.byHand }),
    state: stateOf(),
    key_versions: head?.masterKeys.map(({ version }) => version) ?? [],
    current_key: !lacks(masterKeys.slice(0, 1)),
  };
}

/** The day, in UTC, on which a backup was made; undefined for one that a person has named. */
export const dayOf = (name: string): string | undefined =>
  /^registry-(\d{4}-\d{2}-\d{2})t/.exec(name)?.[1];

/**
 * Which backups go: all of days other than the last ones that have backups. Days count and not backups, so
 * that no number of backups within a day displaces one.
 * @param names of backups that are whole.
 * @param days how many of the last days stay.
 */
export function backupsToRemove(names: readonly string[], days: number): string[] {
  const all = [...new Set(names.flatMap((name) => dayOf(name) ?? []))].sort();
  const old = new Set(all.slice(0, -days));
  return names.filter((name) => old.has(dayOf(name) ?? ""));
}

/** What a rotation removed, and what it left because half of it is missing. */
export interface Rotation {
  readonly removed: readonly string[];
  readonly lone: { readonly archives: number; readonly keys: number };
}

/**
 * Removes old backups of a registry. One counts only if both of its archives are there and belong together, and keys
 * go only after their archive has gone.
 * @param made the backup that was just made; without it the places are others than a moment ago.
 * @param log id of the registry's log: another one's backups stay.
 * @param days see {@link backupsToRemove}.
 * @throws {Refusal} the new backup is not there.
 */
export async function rotateBackups(
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

/** A backup both archives of which were read to their ends, and belong together. */
export interface VerifiedBackup {
  readonly data: Manifest;
  readonly keys: Manifest;
}

/**
 * Reads both archives to their ends.
 * @param signal stops it.
 * @throws {Refusal} one of them is missing, cut off, changed, foreign, of a newer version or needs another
 *   master key, or they do not belong together.
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
      `${whatOf("data", names, places)} and ${whatOf("keys", names, places)} are not of one backup: they can't be restored.`,
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
