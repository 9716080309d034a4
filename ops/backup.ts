/** `npm run backup`: makes a backup; `-- list` lists kept backups, `-- verify <backup>` reads one to the end. */
import type { KeptBackup } from "#contracts/http/backups.ts";
import { type LauncherConfig, readLauncherConfig } from "#launcher/config.ts";
import { explainFailure } from "#launcher/explain-failure.ts";
import { storesAs } from "#launcher/service-configs.ts";
import type { BackupFailure, BackupProgress, BackupReport } from "#operations/backup-table.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import {
  readArguments,
  refuseMore,
  UsageError,
  unknownWord,
  wordsAndOptions,
} from "#runtime/lifecycle/usage.ts";
import {
  type BackupNames,
  keepBackup,
  listBackups,
  NotRotated,
  verifyBackup,
} from "./backup/backups.ts";
import {
  backupPlaces,
  demandVariables,
  installationOf,
  listLine,
  openingKeys,
  orphanWarning,
  previousKeyWarning,
  requireRole,
  shownList,
} from "./backup/cli.ts";
import { DatabaseMemory } from "./backup/markers.ts";
import { backupNames } from "./backup/place.ts";
import { type Installation, openSource } from "./backup/source.ts";
import { withStores } from "./with-stores.ts";

const USAGE =
  "Usage: npm run backup [-- [--scheduled] [--new-place] [--files-lost] | list | verify BACKUP [--keys FILE]]\n" +
  "BACKUP is the name of a backup, or the path of its archive; --keys is the path of its keys.\n" +
  "--scheduled: made by a timer, not a person. --new-place: accepts locations without this registry's marker.\n" +
  "--files-lost: makes a backup even if files named in the log are missing.";
const WORDS = ["list", "verify"] as const;

function parse(args: readonly string[]) {
  const flags = ["scheduled", "new-place", "files-lost"] as const;
  const { words, values } = wordsAndOptions(args, ["keys"], flags);
  const [word, name, more] = words;
  const known = WORDS.find((each) => each === word);
  if (word !== undefined && !known) throw unknownWord("word", word, WORDS);
  if (known === "verify" && name === undefined) throw new UsageError("Which backup?");
  refuseMore(known === "verify" ? more : name);
  const unfit = Object.keys(values).find((each) => (each === "keys") !== (known === "verify"));
  if (unfit !== undefined && (known || unfit === "keys"))
    throw new UsageError(`--${unfit} does not go with ${known ?? "making a backup"}.`);
  return {
    word: known,
    names: name === undefined ? undefined : backupNames(name, values.keys),
    byHand: !values.scheduled,
    newPlace: !!values["new-place"],
    filesLost: !!values["files-lost"],
  };
}

const given = readArguments(USAGE, parse);

async function list(config: LauncherConfig): Promise<void> {
  const places = backupPlaces(config);
  const kept = await listBackups(places, await openingKeys(config));
  console.log(`Archives: ${places.data.where}\nKeys: ${places.keys.where}`);
  if (kept.length === 0) console.log("There are no backups.");
  for (const each of kept) console.log(listLine(each, places));
  const previous = previousKeyWarning(kept);
  if (previous) console.log(`${previous}: keep that key until these backups are removed.`);
}

async function verify(config: LauncherConfig, names: BackupNames): Promise<void> {
  const { data } = await verifyBackup(names, backupPlaces(config), await openingKeys(config));
  const { events, files } = data.parts;
  const versions = data.masterKeys.map(({ version }) => version).join(" and ");
  console.log(
    `The backup ${names.data} of ${data.madeAt} is complete: ${events?.items ?? 0} events, ${files?.items ?? 0} files. It needs version ${versions} of the master key.`,
  );
}

/** Sends the report to the parent process, if any. */
const tell = (report: BackupReport) =>
  new Promise<void>((resolve) => {
    if (process.send) process.send(report, () => resolve());
    else resolve();
  });

/** Minimum milliseconds between two progress messages. */
const TELL_MS = 1000;
let toldAt = 0;

/** Sends progress to the parent process now and then. */
function wrote(bytes: number): void {
  if (!process.connected || performance.now() - toldAt < TELL_MS) return;
  toldAt = performance.now();
  process.send?.({ outcome: "writing", bytes } satisfies BackupProgress, () => undefined);
}

/** Errors that can be explained in a sentence without credentials. */
const EXPLAINED = /^(Refusal|WrongMasterKey|KeyMissing|CannotStart|Ledger(Unavailable|Damaged))$/;

function failureOf(error: unknown): BackupFailure {
  if (error instanceof NotRotated) return { reason: "unrotated", sentence: error.message };
  return error instanceof Error && EXPLAINED.test(error.name)
    ? { reason: "refused", sentence: explainFailure(error) }
    : { reason: "other" };
}

const stop = new AbortController();

/** Runs the work on the stores under the backup role, then updates the list of backups that admins see. */
async function onStores(
  work: (stores: {
    readonly config: LauncherConfig;
    readonly installation: Installation;
    readonly memory: DatabaseMemory;
  }) => Promise<(kept: readonly KeptBackup[]) => BackupReport>,
): Promise<void> {
  for (const event of ["SIGINT", "SIGTERM", "disconnect"] as const)
    process.on(event, () =>
      stop.abort(new Refusal("The backup was stopped. No files were left behind.")),
    );
  await withStores(async ({ instance, passwords }) => {
    const { config } = instance;
    const stores = storesAs("backup", instance.stores, passwords);
    await requireRole(stores.DATABASE_URL);
    const memory = new DatabaseMemory(stores.DATABASE_URL);
    const report = await work({ config, installation: installationOf(instance, stores), memory });
    await tell(report(await showKept(config, memory)));
  });
}

/** A failure to update the list does not undo the work. */
async function showKept(
  config: LauncherConfig,
  memory: DatabaseMemory,
): Promise<readonly KeptBackup[]> {
  try {
    const places = backupPlaces(config);
    const kept = await listBackups(places, await openingKeys(config));
    await memory.show(shownList(places, kept));
    return kept;
  } catch (error) {
    console.error(
      `Couldn't update the list of backups on the System page: ${explainFailure(error)}`,
    );
    return [];
  }
}

function make(): Promise<void> {
  const { byHand, newPlace, filesLost } = given;
  return onStores(async ({ config, installation, memory }) => {
    const places = backupPlaces(config);
    await using source = await openSource(installation, { filesLost });
    const days = source.days || config.variables.BACKUP_KEEP;
    const { signal } = stop;
    const options = { memory, days, newPlace, byHand, signal, wrote };
    const { made, removed, lone } = await keepBackup(source, places, options);
    const { name, events, files } = made;
    console.log(`Backup ${name}: ${events} events, ${files} files.`);
    console.log(`  ${made.dataFile}`);
    console.log(`  ${made.keysFile} (keys: store them separately)`);
    for (const each of removed) console.log(`Removed the older backup ${each}.`);
    return (kept) => {
      const previous = previousKeyWarning(kept);
      const notes = [
        orphanWarning(lone, places),
        previous && `${previous}: keep that key until these backups are removed.`,
      ];
      const said = notes.filter((note) => note !== undefined);
      for (const note of said) console.log(note);
      const bytes = kept.find((each) => each.name === name)?.bytes ?? 0;
      const counts = { removed: removed.length, kept: kept.length };
      return { outcome: "made", name, events, files, bytes, ...counts, notes: said };
    };
  });
}

async function settled<T>(work: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [result] = await Promise.allSettled([work]);
  return result;
}

/** Does what `list` and `verify` do, for the parent process. */
function check(names: BackupNames | undefined): Promise<void> {
  return onStores(async ({ config }) => {
    const places = backupPlaces(config);
    const keys = await openingKeys(config);
    const read = names && (await settled(verifyBackup(names, places, keys, stop.signal)));
    // The list is shown in any case.
    return (kept) => {
      if (read?.status === "rejected") throw read.reason;
      const found = read?.value.data;
      const { events, files } = found?.parts ?? {};
      const note = found
        ? `${events?.items ?? 0} events, ${files?.items ?? 0} files.`
        : previousKeyWarning(kept);
      return { outcome: "checked", notes: note ? [note] : [] };
    };
  });
}

try {
  const config = readLauncherConfig();
  await demandVariables(config);
  const { word, names } = given;
  if (word !== undefined && process.send) await check(names);
  else if (names) await verify(config, names);
  else if (word === "list") await list(config);
  else await make();
  process.exit(0);
} catch (error) {
  console.error(explainFailure(error));
  await tell({ outcome: "failed", ...failureOf(error) });
  process.exit(1);
}
