/** `npm run restore -- <backup>`: fills an empty installation from a backup. */

import { pathToFileURL } from "node:url";
import { readLauncherConfig } from "#launcher/config.ts";
import { dataPaths } from "#launcher/data-folder.ts";
import { explainFailure } from "#launcher/explain-failure.ts";
import { needsEmbeddedPostgres } from "#launcher/instance.ts";
import {
  readArguments,
  refuseMore,
  UsageError,
  wordsAndOptions,
} from "#runtime/lifecycle/usage.ts";
import { backupPlaces, givenMasterKeys, installationOf } from "./backup/cli.ts";
import { backupNames } from "./backup/place.ts";
import { withStores } from "./with-stores.ts";

const USAGE =
  "Usage: npm run restore -- BACKUP [--keys FILE] [--erasures-lost]\n" +
  "BACKUP is the name of a backup, or the path of its archive; --keys is the path of its keys.\n" +
  "--erasures-lost restores without the ledger of erasures: those may return who were erased since.";

function parse(args: readonly string[]) {
  const { words, values } = wordsAndOptions(args, ["keys"], ["erasures-lost"]);
  const [data, more] = words;
  if (data === undefined) throw new UsageError("Which backup?");
  refuseMore(more);
  return { names: backupNames(data, values.keys), erasuresLost: !!values["erasures-lost"] };
}

const given = readArguments(USAGE, parse);
// After parsing the arguments, so that an invalid one is reported without loading the services.
const { prepareRestore, restore } = await import("./backup/restore.ts");
const { commandApiConfig, projectorConfig } = await import("#launcher/service-configs.ts");

async function run(): Promise<number> {
  const config = readLauncherConfig();
  const options = { ...given, places: backupPlaces(config) };
  const { erasures } = dataPaths(config.dataDir);
  const ownLedger = needsEmbeddedPostgres(config) ? pathToFileURL(erasures).href : undefined;
  // Before opening anything, since opening creates whatever is missing.
  const prepared = await prepareRestore(
    {
      erasuresUrl: config.variables.ERASURES_URL ?? ownLedger,
      masterKeys: await givenMasterKeys(config),
    },
    options,
  );
  const { madeAt, masterKeys } = prepared.backup.data;
  const versions = masterKeys.map(({ version }) => version).join(" and ");
  console.log(`The backup of ${madeAt} is complete. Its master key is version ${versions}.`);
  const restoreHere = async ({
    instance,
    isRunning,
  }: Parameters<Parameters<typeof withStores>[0]>[0]) => {
    if (isRunning) {
      console.error("Stop the registry first. A restore needs an empty installation.");
      return 1;
    }
    const target = {
      installation: installationOf(instance),
      commandApi: commandApiConfig(instance),
      projector: projectorConfig(instance),
      log: instance.log("command"),
      say: (line: string) => console.log(line),
    };
    await restore(target, prepared, options);
    console.log(
      "Restored. All sessions have ended. The first start rebuilds the read models; pending emails were dropped.",
    );
    return 0;
  };
  return withStores(restoreHere, { mayBeNew: true });
}

const code = await run().catch((error) => {
  console.error(explainFailure(error));
  return 1;
});
process.exit(code);
