import { lstat } from "node:fs/promises";
import type { LauncherConfig } from "#launcher/config.ts";
import { dataPaths } from "#launcher/data-folder.ts";
import { ConfigInvalid } from "#runtime/config/load-config.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { readBackupConfig } from "#services/backup/config.ts";

/**
 * Demands of the environment what the service `backup` demands, where the stores are those of separate
 * processes: the defaults in a data folder are not theirs.
 * @throws {Refusal} naming each variable that is missing or wrong.
 */
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
