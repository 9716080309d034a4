import { Refusal } from "#runtime/lifecycle/refusal.ts";
import {
  type BackupOptions,
  type BackupPlaces,
  type MadeBackup,
  refuseOnePlace,
  writeBackup,
} from "./backup.ts";
import { type Rotation, rotateBackups, verifyBackup } from "./kept-backups.ts";
import { claimPlaces, type PlaceMemory } from "./markers.ts";
import { PlaceRefusal } from "./place.ts";
import type { BackupSource } from "./source.ts";

/** The new backup is whole and stays, but so do older ones that are to go. */
export class NotRotated extends Refusal {
  constructor(name: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`The backup ${name} is whole and kept, but older ones could not be removed: ${why}`, {
      cause,
    });
  }
}

export interface KeepOptions extends BackupOptions {
  /** What the registry remembers of the places. */
  readonly memory: PlaceMemory;
  /** Of how many days backups stay, see `backupsToRemove`. */
  readonly days: number;
  /** Accepts places that are new. */
  readonly newPlace?: boolean | undefined;
}

/**
 * Makes a backup in the registry's own places, reads it to its end, and only then removes older ones. One that is not
 * whole removes itself and no other.
 * @throws {Refusal} as `claimPlaces`: nothing was written; as {@link writeBackup} and {@link verifyBackup}:
 *   nothing is left of it.
 * @throws {NotRotated}
 * @throws the signal's reason, and then as well nothing is left.
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
      // The keys first: an archive without them opens nothing.
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
