import type { Environment } from "#runtime/config/load-config.ts";
import { type ProcessSettings, processSettings } from "#runtime/config/process-settings.ts";
import { readVariables } from "#runtime/config/read-variables.ts";
import { type StoreSettings, storeSettings } from "#runtime/config/shared-settings.ts";
import { masterKeysOf } from "#vault/keys/master-ring.ts";

/** Settings of the backup process. Paths are for the program that it starts for each backup. */
export type BackupProcessConfig = StoreSettings & ProcessSettings;

/**
 * Reads the environment; stores default to the database. @throws {ConfigInvalid} also for the backup program's
 * settings.
 */
export function readBackupConfig(environment: Environment = process.env): BackupProcessConfig {
  const env = readVariables("backup", environment);
  masterKeysOf(environment);
  return { ...processSettings(env, environment), ...storeSettings(env) };
}
