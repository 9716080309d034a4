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

/**
 * Removes the oldest backups, with their keys, and keys without an archive.
 * @param keep how many stay.
 * @returns the names of those that were removed.
 */
export async function rotateBackups(places: BackupPlaces, keep: number): Promise<string[]> {
  const kept = (await places.data.list()).map(({ name }) => name);
  const removed = kept.slice(0, Math.max(0, kept.length - keep));
  const oldest = kept[removed.length];
  const lone = (await places.keys.list())
    .map(({ name }) => name)
    .filter((name) => !kept.includes(name) && oldest !== undefined && name < oldest);
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
