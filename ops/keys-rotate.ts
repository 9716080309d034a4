/** `npm run keys:rotate`: wraps every key under a new master key, while the system runs. */
import { randomBytes } from "node:crypto";
import type { LauncherConfig } from "#launcher/config.ts";
import { explainFailure } from "#launcher/explain-failure.ts";
import { keepPreviousKey, writeMasterKeys } from "#launcher/secrets.ts";
import { takesNoArguments } from "#runtime/lifecycle/usage.ts";
import { openKeyStore } from "#vault/keys/postgres-key-store.ts";
import { listBackups } from "./backup/backups.ts";
import { backupPlaces, demandVariables, previousKeyWarning } from "./backup/cli.ts";
import { runWithStores } from "./with-stores.ts";

takesNoArguments("keys:rotate");
await runWithStores(async ({ instance }) => {
  const { config, masterKeys, paths, stores } = instance;
  const inFile = config.variables.MASTER_KEY === undefined;
  const [first, previous] = await masterKeys();
  if (!first) throw new Error("there is no master key");
  if (!inFile && !previous) {
    console.error(
      "MASTER_KEY holds only the current key: put a new one in front of it (new,previous), start the services with both, and run this again with the same value.",
    );
    return 1;
  }
  // Two keys in the file mean an interrupted rotation. It continues with the key created then.
  const wanted = previous ? first : randomBytes(32);
  const replaced = previous ?? first;
  if (!previous) await writeMasterKeys(paths, [wanted, first]);
  const keys = await openKeyStore({ database: stores.KEYS_URL, masterKeys });
  try {
    const count = await keys.rotate(wanted, (done) => console.log(`  ${done} keys...`));
    if (inFile) {
      await keepPreviousKey(paths, replaced);
      await writeMasterKeys(paths, [wanted]);
    }
    console.log(`${count} keys are now wrapped with the new master key.`);
    console.log(
      inFile
        ? `It is in ${paths.masterKey}: keep a copy, separate from the backups of the database.`
        : "Remove the previous one from the services' MASTER_KEY at their next start.",
    );
    const where = inFile ? `It is in ${paths.previousMasterKeys}.` : "Keep it in a safe place.";
    for (const line of await aboutPrevious(config, wanted, where)) console.log(line);
    return 0;
  } finally {
    await keys.close();
  }
});

/** Explains which backups need the previous master key, and how long to keep it. */
async function aboutPrevious(
  config: LauncherConfig,
  current: Buffer,
  where: string,
): Promise<string[]> {
  const until =
    "Delete it once npm run backup -- list shows no backup that needs it. Old backups are removed as new ones are made.";
  try {
    await demandVariables(config);
    const places = backupPlaces(config);
    const words = previousKeyWarning(await listBackups(places, [current]));
    return words
      ? [`${words}, and cannot be restored without it. ${where}`, until]
      : [
          `No backup in ${places.data.where} needs the previous master key. Any backups in other places still do. ${where}`,
          "Make one with the new key now: npm run backup",
        ];
  } catch (error) {
    return [
      `The backups cannot be listed (${explainFailure(error)}): those from before need the previous master key. ${where}`,
      until,
    ];
  }
}
