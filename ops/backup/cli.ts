import path from "node:path";
import { pathToFileURL } from "node:url";
import type { LauncherConfig } from "#launcher/config.ts";
import { dataPaths } from "#launcher/data-folder.ts";
import type { Instance } from "#launcher/instance.ts";
import { commandApiConfig, erasuresUrlOf } from "#launcher/service-configs.ts";
import type { BackupPlaces, Installation } from "./backup.ts";
import { openPlace } from "./open-place.ts";

/** Where archives and keys go: two folders of the data folder, unless the variables name others. */
export function backupPlaces({ variables, dataDir }: LauncherConfig): BackupPlaces {
  const { backups, backupKeys } = dataPaths(dataDir);
  const url = (given: string | undefined, folder: string) => given ?? pathToFileURL(folder).href;
  return {
    data: openPlace("BACKUP_URL", url(variables.BACKUP_URL, backups)),
    keys: openPlace("BACKUP_KEYS_URL", url(variables.BACKUP_KEYS_URL, backupKeys)),
  };
}

/**
 * What the instance's backups are made of, and restored into.
 * @param stores under the role that does it; the owner's when absent.
 */
export function installationOf(instance: Instance, stores = instance.stores): Installation {
  const { masterKeys, version } = instance;
  return {
    databaseUrl: stores.DATABASE_URL,
    eventStoreUrl: stores.EVENT_STORE_URL,
    keysUrl: stores.KEYS_URL,
    filesUrl: commandApiConfig(instance).filesUrl,
    erasuresUrl: erasuresUrlOf(instance),
    masterKeys,
    version,
  };
}

/** A size for people. */
export function sizeOf(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`;
}

/** A path as it is shorter: from the present folder on, if it lies there. */
export function shown(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return relative.startsWith("..") ? file : relative;
}
