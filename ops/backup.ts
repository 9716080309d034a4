/**
 * `npm run backup`: makes a backup while the registry runs; `-- list` lists those that are kept, and
 * `-- verify <name>` reads one to its end.
 */
import { readLauncherConfig } from "#launcher/config.ts";
import { explainFailure } from "#launcher/explain-failure.ts";
import { readArguments } from "#runtime/lifecycle/usage.ts";
import { UsageError, unknownWord } from "#runtime/lifecycle/usage-error.ts";
import { makeBackup } from "./backup/backup.ts";
import { backupPlaces, installationOf, sizeOf } from "./backup/cli.ts";
import { givenMasterKeys } from "./backup/given-keys.ts";
import { listBackups, rotateBackups, verifyBackup } from "./backup/kept-backups.ts";
import { runWithStores } from "./with-stores.ts";

const WORDS = ["list", "verify"] as const;

function parse([word, name, more]: readonly string[]) {
  const known = WORDS.find((each) => each === word);
  if (word !== undefined && !known) throw unknownWord("word", word, WORDS);
  if (known === "verify" && name === undefined) throw new UsageError("Which backup?");
  const extra = known === "verify" ? more : name;
  if (extra !== undefined) throw new UsageError(`Unknown argument ${JSON.stringify(extra)}.`);
  return { word: known, name };
}

const { word, name } = readArguments("Usage: npm run backup [-- list | verify NAME]", parse);

async function list(): Promise<void> {
  const kept = await listBackups(backupPlaces(readLauncherConfig()));
  if (kept.length === 0) console.log("There are no backups.");
  for (const { name, bytes, hasKeys } of kept)
    console.log(`${name}  ${sizeOf(bytes)}${hasKeys ? "" : "  (its keys are not here)"}`);
}

async function verify(archive: string): Promise<void> {
  const config = readLauncherConfig();
  const names = { data: archive, keys: archive };
  const masterKeys = await givenMasterKeys(config);
  const { data } = await verifyBackup(names, backupPlaces(config), masterKeys);
  const { events, files } = data.parts;
  console.log(
    `The backup ${archive} of ${data.madeAt} is whole: ${events?.items ?? 0} events, ${files?.items ?? 0} files.`,
  );
}

async function withExitCode(work: Promise<void>): Promise<never> {
  const code = await work.then(
    () => 0,
    (error) => {
      console.error(explainFailure(error));
      return 1;
    },
  );
  process.exit(code);
}

if (word === "list") await withExitCode(list());
if (word === "verify" && name !== undefined) await withExitCode(verify(name));
await runWithStores(async ({ instance }) => {
  const places = backupPlaces(instance.config);
  const made = await makeBackup(installationOf(instance), places);
  console.log(`Backup ${made.name}: ${made.events} events, ${made.files} files.`);
  console.log(`  ${made.dataFile}`);
  console.log(`  ${made.keysFile} (the keys: keep them elsewhere)`);
  const removed = await rotateBackups(places, instance.config.variables.BACKUP_KEEP);
  for (const each of removed) console.log(`Removed the older backup ${each}.`);
  return 0;
});
