import type { Environment } from "#runtime/config/load-config.ts";
import { type ProcessSettings, processSettings } from "#runtime/config/process-settings.ts";
import { readVariables } from "#runtime/config/read-variables.ts";
import { type StoreSettings, storeSettings } from "#runtime/config/shared-settings.ts";
import { masterKeysOf } from "#vault/keys/master-ring.ts";

/** Settings of the process that makes backups. The places are for the program that it begins for each. */
export type BackupProcessConfig = StoreSettings & ProcessSettings;

/** Reads the environment; stores default to the database. @throws {ConfigInvalid} also for the program it begins. */
export function readBackupConfig(environment: Environment = process.env): BackupProcessConfig {
  const env = readVariables("backup", environment);
  masterKeysOf(environment);
  return { ...processSettings(env, environment), ...storeSettings(env) };
}
