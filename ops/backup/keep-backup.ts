import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { readMasterKeys } from "#vault/keys/master-ring.ts";
import { type BackupPlaces, type Installation, type MadeBackup, makeBackup } from "./backup.ts";
import { rotateBackups, verifyBackup } from "./kept-backups.ts";

/** The new backup is whole and stays, but so do older ones that are to go. */
export class NotRotated extends Refusal {
  constructor(name: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`The backup ${name} is whole and kept, but older ones could not be removed: ${why}`, {
      cause,
    });
  }
}

/**
 * Makes a backup, reads it to its end, and only then removes older ones. One that is not whole removes
 * itself and no other.
 * @param days of how many days backups stay, see `backupsToRemove`.
 * @param wrote as for {@link makeBackup}.
 * @returns the backup, and the names of those that were removed.
 * @throws {Refusal} as {@link makeBackup} and {@link verifyBackup}: then nothing is left of it.
 * @throws {NotRotated}
 * @throws the signal's reason, and then as well nothing is left.
 */
export async function keepBackup(
  installation: Installation,
  places: BackupPlaces,
  days: number,
  signal?: AbortSignal,
  wrote?: (bytes: number) => void,
): Promise<{ readonly made: MadeBackup; readonly removed: readonly string[] }> {
  const made = await makeBackup(installation, places, signal, wrote);
  const { name } = made;
  try {
    const masterKeys = await readMasterKeys(installation.masterKeys);
    await verifyBackup({ data: name, keys: name }, places, masterKeys, signal);
  } catch (error) {
    // The keys first: an archive without them opens nothing.
    await places.keys.remove(name);
    await places.data.remove(name);
    throw error;
  }
  const removed = await rotateBackups(places, days).catch((error) => {
    throw new NotRotated(name, error);
  });
  return { made, removed };
}
