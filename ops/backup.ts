/**
 * `npm run backup`: makes a backup while the registry runs; `-- list` lists those that are kept, and
 * `-- verify <name>` reads one to its end.
 */

import { readLauncherConfig } from "#launcher/config.ts";
import { explainFailure } from "#launcher/explain-failure.ts";
import { storesAs } from "#launcher/service-configs.ts";
import type { BackupFailure, BackupProgress, BackupReport } from "#operations/backup-report.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { readArguments } from "#runtime/lifecycle/usage.ts";
import { UsageError, unknownWord } from "#runtime/lifecycle/usage-error.ts";
import { backupPlaces, installationOf, sizeOf } from "./backup/cli.ts";
import { givenMasterKeys } from "./backup/given-keys.ts";
import { keepBackup, NotRotated } from "./backup/keep-backup.ts";
import { listBackups, verifyBackup } from "./backup/kept-backups.ts";
import { keptNumber } from "./backup/kept-number.ts";
import { PlaceRefusal } from "./backup/place.ts";
import { requireRole } from "./backup/role.ts";
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

const stop = new AbortController();
for (const event of ["SIGINT", "SIGTERM", "disconnect"] as const)
  process.on(event, () =>
    stop.abort(new Refusal("The backup was stopped: nothing of it is left.")),
  );

/** Tells the process that began this one, where there is one. */
const tell = (report: BackupReport) =>
  new Promise<void>((resolve) => {
    if (process.send) process.send(report, () => resolve());
    else resolve();
  });

/** Milliseconds between two messages of how much is written. */
const TELL_MS = 1000;
let toldAt = 0;

/** Tells it as well how much is written, now and then. */
function wrote(bytes: number): void {
  if (!process.connected || performance.now() - toldAt < TELL_MS) return;
  toldAt = performance.now();
  process.send?.({ outcome: "writing", bytes } satisfies BackupProgress, () => undefined);
}

function reasonOf(error: unknown): BackupFailure {
  if (error instanceof NotRotated) return "unrotated";
  return error instanceof PlaceRefusal ? error.reason : "other";
}

await runWithStores(async ({ instance, passwords }) => {
  const places = backupPlaces(instance.config);
  const stores = storesAs("backup", instance.stores, passwords);
  await requireRole(stores.DATABASE_URL);
  const installation = installationOf(instance, stores);
  const days = await keptNumber(installation, instance.config.variables.BACKUP_KEEP);
  const { made, removed } = await keepBackup(installation, places, days, stop.signal, wrote).catch(
    async (error) => {
      await tell({ outcome: "failed", reason: reasonOf(error) });
      throw error;
    },
  );
  console.log(`Backup ${made.name}: ${made.events} events, ${made.files} files.`);
  console.log(`  ${made.dataFile}`);
  console.log(`  ${made.keysFile} (the keys: keep them elsewhere)`);
  for (const each of removed) console.log(`Removed the older backup ${each}.`);
  if (process.send) {
    const kept = await listBackups(places);
    const bytes = kept.find(({ name }) => name === made.name)?.bytes ?? 0;
    const { name, events, files } = made;
    const counts = { removed: removed.length, kept: kept.length };
    await tell({ outcome: "made", name, events, files, bytes, ...counts });
  }
  return 0;
});
