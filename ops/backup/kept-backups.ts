import { Refusal } from "#runtime/lifecycle/refusal.ts";
import type { Manifest } from "./archive/manifest.ts";
import { type ReadEntry, readArchive } from "./archive/read-archive.ts";
import type { BackupPlaces } from "./backup.ts";

/** The two archives of a backup: their names in the usual places, or their paths. */
export interface BackupNames {
  readonly data: string;
  readonly keys: string;
}

export interface KeptBackup {
  readonly name: string;
  readonly bytes: number;
  readonly hasKeys: boolean;
}

/** The backups in the usual places, the oldest first. */
export async function listBackups({ data, keys }: BackupPlaces): Promise<KeptBackup[]> {
  const withKeys = new Set((await keys.list()).map(({ name }) => name));
  return (await data.list()).map((kept) => ({ ...kept, hasKeys: withKeys.has(kept.name) }));
}

/** The day, in UTC, on which a backup was made; undefined for one that somebody has named. */
const dayOf = (name: string): string | undefined =>
  /^registry-(\d{4}-\d{2}-\d{2})t/.exec(name)?.[1];

/**
 * Which backups go. The number counts days and not backups: whoever may press the button could
 * otherwise have all older ones removed within a minute. The first of a day stays, so that no later one of that day
 * takes its place, and the last one, since that is what somebody has asked for.
 * @param names the oldest first.
 * @param days of the days that have backups, how many of the last ones are kept.
 */
export function backupsToRemove(names: readonly string[], days: number): string[] {
  const byDay = Map.groupBy(names.filter(dayOf), dayOf);
  const kept = [...byDay.values()].slice(-days).flatMap((ofDay) => [ofDay[0], ofDay.at(-1)]);
  return [...byDay.values()].flat().filter((name) => !kept.includes(name));
}

/**
 * Removes the backups that go, with their keys, and keys without an archive that are older than those that stay.
 * @param days see {@link backupsToRemove}.
 * @returns the names of those that were removed.
 */
export async function rotateBackups(places: BackupPlaces, days: number): Promise<string[]> {
  const names = (await places.data.list()).map(({ name }) => name);
  const removed = backupsToRemove(names, days);
  const oldest = names.find((name) => dayOf(name) && !removed.includes(name));
  const lone = (await places.keys.list())
    .map(({ name }) => name)
    .filter((name) => !names.includes(name) && oldest !== undefined && name < oldest);
  // The keys first: what stays of a removal that was interrupted opens nothing.
  for (const name of [...removed, ...lone]) {
    await places.keys.remove(name);
    await places.data.remove(name);
  }
  return removed;
}

/** A backup both archives of which were read to their ends, and belong together. */
export interface VerifiedBackup {
  readonly data: Manifest;
  readonly keys: Manifest;
}

/**
 * Reads both archives to their ends.
 * @param signal stops it.
 * @throws {Refusal} one of them is missing, cut off, changed, foreign or of a newer version, or they do
 *   not belong together.
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
      `${whatOf("data", names, places)} and ${whatOf("keys", names, places)} are not of one backup: nothing was restored.`,
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
