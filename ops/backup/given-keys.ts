import { readFile } from "node:fs/promises";
import type { LauncherConfig } from "#launcher/config.ts";
import { dataPaths } from "#launcher/data-folder.ts";
import { givenSecrets, previousMasterKeys } from "#launcher/secrets.ts";
import { errorCode, Refusal } from "#runtime/lifecycle/refusal.ts";

/**
 * The master keys of MASTER_KEY, or of the data folder; none is made.
 * @throws {Refusal} there are none.
 */
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

/** All master keys that may open a backup: the given ones first, then those that rotations in the data folder have replaced. */
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
