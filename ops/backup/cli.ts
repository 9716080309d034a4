import { lstat, readFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { formatSize } from "#contracts/format-size.ts";
import { type BackupList, type KeptBackup, MAX_BACKUPS } from "#contracts/http/backups.ts";
import { readS3Url } from "#files/s3/s3-url.ts";
import type { LauncherConfig } from "#launcher/config.ts";
import { dataPaths } from "#launcher/data-folder.ts";
import type { Instance } from "#launcher/instance.ts";
import { givenSecrets, previousMasterKeys } from "#launcher/secrets.ts";
import { commandApiConfig, erasuresUrlOf } from "#launcher/service-configs.ts";
import { ConfigInvalid } from "#runtime/config/load-config.ts";
import { chooseByScheme } from "#runtime/config/value-problems.ts";
import { withClient } from "#runtime/db/pool.ts";
import { SERVICE_ROLES } from "#runtime/db/service-roles.ts";
import { errorCode, Refusal } from "#runtime/lifecycle/refusal.ts";
import { readBackupConfig } from "#services/backup/config.ts";
import { ArchiveBucket } from "./archive-bucket.ts";
import type { BackupPlaces, ListedBackup, Rotation } from "./backups.ts";
import { ArchiveFolder, type ArchivePlace } from "./place.ts";
import type { Installation } from "./source.ts";

/** Where archives and keys go: two folders of the data folder, unless the variables set others. */
export function backupPlaces({ variables, dataDir }: LauncherConfig): BackupPlaces {
  const { backups, backupKeys } = dataPaths(dataDir);
  const url = (given: string | undefined, folder: string) => given ?? pathToFileURL(folder).href;
  return {
    data: openPlace("BACKUP_URL", url(variables.BACKUP_URL, backups)),
    keys: openPlace("BACKUP_KEYS_URL", url(variables.BACKUP_KEYS_URL, backupKeys)),
  };
}

/** What backups are made from and restored into. @param stores with the role to use; the owner's by default. */
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

/** The list for the console. */
export function shownList(places: BackupPlaces, kept: readonly ListedBackup[]): BackupList {
  const backups = kept
    .toReversed()
    .slice(0, MAX_BACKUPS)
    .map(({ log: _, ...shown }) => shown);
  return { archives: places.data.where, keys: places.keys.where, backups };
}

/** A line of the list for the terminal. */
export function listLine(backup: KeptBackup, places: BackupPlaces): string {
  const { name, made_at, bytes, by_hand } = backup;
  const time = made_at === undefined ? "" : `${made_at.slice(0, 16).replace("T", " ")} UTC`;
  const by = by_hand === undefined ? "" : by_hand ? "by hand" : "scheduled";
  return [name, time, formatSize(bytes), by, stateWords(backup, places)].filter(Boolean).join("  ");
}

function stateWords(
  { state, key_versions, current_key }: KeptBackup,
  { data, keys }: BackupPlaces,
): string {
  const versions = `version ${key_versions.join(" and ")}`;
  switch (state) {
    case "opens":
      return `opens with ${current_key ? "the current" : "a previous"} master key (${versions})`;
    case "other_key":
      return `needs another master key (${versions})`;
    case "no_keys":
      return `cannot be restored: its keys are not in ${keys.where}`;
    case "no_archive":
      return `cannot be restored: its archive is not in ${data.where}`;
    case "unreadable":
      return "cannot be restored: an archive cannot be read";
    case "mismatched":
      return "cannot be restored: archive and keys are from different backups";
  }
}

/**
 * A sentence about backups that need a master key other than the current one.
 * @returns undefined if there are none.
 */
export function previousKeyWarning(kept: readonly KeptBackup[]): string | undefined {
  const older = kept.filter(({ current_key, key_versions }) => !current_key && key_versions.length);
  if (older.length === 0) return undefined;
  const versions = [...new Set(older.flatMap(({ key_versions }) => key_versions))].sort();
  const [first, last] = [older[0]?.name, older.at(-1)?.name];
  const which = first === last ? first : `${first} to ${last}`;
  return `${older.length} of ${kept.length} backups (${which}) need${older.length === 1 ? "s" : ""} a previous master key (version ${versions.join(", ")})`;
}

/**
 * A sentence about incomplete backups: "9 sets of keys but no archives in ...".
 * @returns undefined if there are none.
 */
export function orphanWarning({ archives, keys }: Rotation["lone"], places: BackupPlaces) {
  const sentences = [
    keys > 0 &&
      `${keys} ${keys === 1 ? "set" : "sets"} of keys but no archives of ${keys === 1 ? "it" : "them"} in ${places.data.where}.`,
    archives > 0 &&
      `${archives} ${archives === 1 ? "archive" : "archives"} but no keys of ${archives === 1 ? "it" : "them"} in ${places.keys.where}.`,
  ].filter(Boolean);
  if (sentences.length === 0) return undefined;
  return `${sentences.join(" ")} None were removed. See npm run backup -- list.`;
}

/** Checks the variables that the service `backup` requires. @throws {Refusal} naming each missing one. */
export async function demandVariables({ variables, dataDir }: LauncherConfig): Promise<void> {
  if (!variables.DATABASE_URL || !variables.MASTER_KEY) return;
  const hasCluster = await lstat(dataPaths(dataDir).cluster).catch(() => undefined);
  if (hasCluster) return;
  try {
    readBackupConfig();
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error;
    throw new Refusal(
      `${error.problems.join("; ")}: npm run backup needs the variables of the service backup.`,
    );
  }
}

/** Reads the master keys of MASTER_KEY or the data folder; creates none. @throws {Refusal} if there are none. */
export async function givenMasterKeys({
  variables,
  dataDir,
}: LauncherConfig): Promise<readonly Buffer[]> {
  const file = dataPaths(dataDir).masterKey;
  const given = variables.MASTER_KEY ?? (await readOr(file, ""));
  if (!given.trim())
    throw new Refusal(
      `The master key of the installation that was backed up is needed: put it into ${file}, or give it in MASTER_KEY.`,
    );
  return givenSecrets(given).masterKeys();
}

/** Returns all master keys that may open a backup: the given ones, then those replaced by rotations. */
export async function openingKeys(config: LauncherConfig): Promise<readonly Buffer[]> {
  const given = await givenMasterKeys(config);
  if (config.variables.MASTER_KEY) return given;
  return [...given, ...(await previousMasterKeys(dataPaths(config.dataDir)))];
}

async function readOr(file: string, otherwise: string): Promise<string> {
  return readFile(file, "utf8").catch((error) => {
    if (errorCode(error) === "ENOENT") return otherwise;
    throw error;
  });
}

/** SQLSTATEs for a missing role, which PostgreSQL does not distinguish from a wrong password. */
const NO_ROLE = new Set(["28P01", "28000"]);

/** Checks that the backup role can connect. @throws {Refusal} if this version has not yet started on the database. */
export async function requireRole(url: string): Promise<void> {
  if (!url.includes(`//${SERVICE_ROLES.backup}:`)) return;
  try {
    await withClient({ url, name: "backup" }, async () => undefined);
  } catch (error) {
    if (!NO_ROLE.has(errorCode(error) ?? "")) throw error;
    throw new Refusal(
      `The backup role ${SERVICE_ROLES.backup} can't connect to the database. This version creates it on start: start the registry once, or run npm run migrate.`,
      { cause: error },
    );
  }
}

/** Opens an archive location; connects on first use. @param variable that holds the URL. @throws {ConfigInvalid} */
function openPlace(variable: string, url: string): ArchivePlace {
  return chooseByScheme<ArchivePlace>(variable, url, {
    file: () => new ArchiveFolder(fileURLToPath(url)),
    s3: () => {
      const address = readS3Url(url);
      if (address) return new ArchiveBucket(address);
      throw new ConfigInvalid([
        `${variable} must be like s3://key:secret@host/bucket, with a folder after the bucket if wanted, and ?region= and ?tls=false where the server needs them`,
      ]);
    },
  });
}
