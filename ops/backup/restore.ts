import type { Logger } from "pino";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { subjects } from "#contracts/sealed.ts";
import { openEventStore } from "#event-store/open-event-store.ts";
import {
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  START,
  type StoredEvent,
} from "#event-store/port.ts";
import { EVENT_LOG_SCHEMA } from "#event-store/postgres/schema.ts";
import { openFileStore } from "#files/file-stores.ts";
import { DATA_SCHEMAS, KEYS_SCHEMAS } from "#launcher/migrate/rights.ts";
import { schemeOf } from "#runtime/config/value-problems.ts";
import { withClient } from "#runtime/db/pool.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { composeCommandApi } from "#services/command-api/composition.ts";
import type { CommandApiConfig } from "#services/command-api/config.ts";
import { openProjectorStores } from "#services/projector/composition.ts";
import type { ProjectorConfig } from "#services/projector/config.ts";
import { releaseReactions } from "#services/projector/reactions/outbox/release.ts";
import {
  type ErasureLedger,
  type Hiding,
  openErasureLedger,
} from "#vault/erasures/erasure-ledger.ts";
import { IS_RESTORING } from "#vault/keys/key-store.ts";
import { readMasterKeys } from "#vault/keys/master-ring.ts";
import type { ReadEntry } from "./archive.ts";
import {
  type BackupNames,
  type BackupPlaces,
  readKept,
  type VerifiedBackup,
  verifyBackup,
} from "./backups.ts";
import { eraseAgain, hideAgain } from "./erase-again.ts";
import { EVENTS, FILES } from "./manifest.ts";
import type { Installation } from "./source.ts";
import { linesOf, refuseNewerTables, restoreKeys, TableRestore, tableOfPart } from "./tables.ts";

export interface RestoreOptions {
  readonly names: BackupNames;
  readonly places: BackupPlaces;
  /** Restores without the ledger, or with one that lacks erasures, and records that in the log. */
  readonly erasuresLost: boolean;
}

/** A backup ready to be restored, and the erasures to repeat. */
export interface PreparedRestore {
  readonly backup: VerifiedBackup;
  /** Time of each erasure, by subject. */
  readonly erasures: ReadonlyMap<string, string>;
  /** The last hiding of each report and account, by stream. */
  readonly hidings: ReadonlyMap<string, Hiding>;
}

/** Reads both archives to the end first. @throws {Refusal} as {@link verifyBackup}, or for the ledger. */
export async function prepareRestore(
  { erasuresUrl, masterKeys }: Pick<Installation, "erasuresUrl" | "masterKeys">,
  { names, places, erasuresLost }: RestoreOptions,
): Promise<PreparedRestore> {
  const backup = await verifyBackup(names, places, await readMasterKeys(masterKeys));
  refuseNewerTables(DATA_SCHEMAS, backup.data);
  refuseNewerTables(KEYS_SCHEMAS, backup.keys);
  const ledger = erasuresUrl === undefined ? undefined : openErasureLedger(erasuresUrl);
  if (!erasuresLost) await requireLedger(ledger, backup);
  const hidings = (await ledger?.hidings()) ?? new Map<string, Hiding>();
  return { backup, erasures: await erasuresOf(ledger), hidings };
}

async function requireLedger(
  ledger: ErasureLedger | undefined,
  { data }: VerifiedBackup,
): Promise<void> {
  const otherwise =
    "Put it back, or restore with --erasures-lost: then those may return who were erased since.";
  if (!ledger || !(await ledger.exists()))
    throw new Refusal(
      `The ledger of erasures is missing (${ledger?.file ?? "ERASURES_URL is not set"}). ${otherwise}`,
    );
  if (!data.ledger || !(await ledger.continues(data.ledger)))
    throw new Refusal(
      `The ledger of erasures ${ledger.file} is not the one of this backup, or is older. ${otherwise}`,
    );
}

async function erasuresOf(ledger: ErasureLedger | undefined): Promise<Map<string, string>> {
  const erasures = new Map<string, string>();
  if (!ledger || !(await ledger.exists())) return erasures;
  for await (const { subject, at } of ledger.read())
    if (!erasures.has(subject)) erasures.set(subject, at);
  return erasures;
}

/** The installation, and the settings of services that take part in the restore. */
export interface RestoreTarget {
  readonly installation: Installation;
  readonly commandApi: CommandApiConfig;
  readonly projector: ProjectorConfig;
  readonly log: Logger;
  readonly say: (line: string) => void;
}

export interface Restored {
  readonly events: number;
  readonly files: number;
}

/** Fills an empty installation, marked until done. @throws {Refusal} if it is not empty; nothing was changed. */
export async function restore(
  target: RestoreTarget,
  { backup, erasures, hidings }: PreparedRestore,
  { names, places, erasuresLost }: RestoreOptions,
): Promise<Restored> {
  const { installation, say } = target;
  await refuseUnlessEmpty(installation);
  const masterKeys = await readMasterKeys(installation.masterKeys);
  const marked = await restoreKeys(installation.keysUrl, backup.keys, erasures, (use) =>
    readKept("keys", names, places, masterKeys, use).then(refuseOther(backup.keys)),
  );
  try {
    say("The keys are restored, without those of the ledger.");
    const counts = await restoreData(installation, backup, erasures, (use) =>
      readKept("data", names, places, masterKeys, use).then(refuseOther(backup.data)),
    );
    say(`${counts.events} events and ${counts.files} files are restored.`);
    await settle(target, { erasures, hidings }, erasuresLost);
    await marked.finish();
    return counts;
  } finally {
    await marked.close();
  }
}

/** Refuses an archive that was replaced between the two passes. */
function refuseOther(expected: { readonly mac: string }) {
  return (found: { readonly mac: string }) => {
    if (found.mac !== expected.mac)
      throw new Refusal(
        "The archive was replaced while it was restored: empty the stores and restore again.",
      );
  };
}

type ReadAll = (use: (entry: ReadEntry) => Promise<void>) => Promise<void>;

async function restoreData(
  { databaseUrl, eventStoreUrl, filesUrl }: Installation,
  { data }: VerifiedBackup,
  erasures: ReadonlyMap<string, string>,
  readAll: ReadAll,
): Promise<Restored> {
  await using opened = new AsyncDisposableStack();
  const tables = await TableRestore.open(databaseUrl, DATA_SCHEMAS, data);
  opened.defer(() => tables.close());
  const store = await openEventStore(eventStoreUrl, { name: "restore" });
  opened.defer(() => store.close());
  const files = await openFileStore(filesUrl);
  opened.defer(() => files.close());
  const log = new LogRestore(store);
  let count = 0;
  await readAll(async ({ part, name, size, content }) => {
    const table = tableOfPart(part);
    if (table !== undefined) await tables.add(table, content);
    else if (part === EVENTS) for await (const line of linesOf(content)) await log.add(line);
    else if (part === FILES && !erasures.has(subjects.file(name))) {
      await files.put(name, content, size);
      count += 1;
    }
  });
  await log.flush();
  await tables.finish();
  return { events: log.count, files: count };
}

/** Maximum events per append, and their bytes. */
const BATCH = 100;
const BATCH_BYTES = 400_000;

/** Appends events in log order, grouping consecutive events of one stream. */
class LogRestore {
  readonly #store: EventStore;
  #waiting: Omit<StoredEvent, "position">[] = [];
  #bytes = 0;
  count = 0;

  constructor(store: EventStore) {
    this.#store = store;
  }

  async add(line: string): Promise<void> {
    const event = JSON.parse(line) as Omit<StoredEvent, "position">;
    const isOther = this.#waiting[0] && this.#waiting[0].stream !== event.stream;
    const isFull = this.#waiting.length >= BATCH || this.#bytes + line.length > BATCH_BYTES;
    if (isOther || isFull) await this.flush();
    this.#waiting.push(event);
    this.#bytes += line.length;
  }

  async flush(): Promise<void> {
    const [first] = this.#waiting;
    if (!first) return;
    const expected: ExpectedRevision = first.revision === 0 ? "no_stream" : first.revision - 1;
    const events = this.#waiting.map(
      ({ id, type, data, metadata }): EventToAppend => ({ id, type, data, metadata }),
    );
    await this.#store.append(first.stream, events, expected);
    this.count += events.length;
    this.#waiting = [];
    this.#bytes = 0;
  }
}

/** Starts a new epoch, ends all sessions, repeats erasures missing from the log, and drops emails about the past. */
async function settle(
  { commandApi, projector, log }: RestoreTarget,
  { erasures, hidings }: Omit<PreparedRestore, "backup">,
  erasuresLost: boolean,
): Promise<void> {
  const api = await composeCommandApi({ ...commandApi, isRestoring: true }, log);
  try {
    const lost = erasuresLost ? (true as const) : undefined;
    const command = { type: "RestoreLog", ...omitUndefined({ erasureLedgerLost: lost }) } as const;
    const now = new Date();
    await api.log.execute(command, now.toISOString());
    await api.credentials.relayAgain(now.getTime());
    await api.sessionEnds.all(now.toISOString());
    await eraseAgain(api, new Set(erasures.keys()));
    await hideAgain(api, hidings);
  } finally {
    await api.stop();
  }
  const stores = await openProjectorStores({ ...projector, isRestoring: true }, log, {
    statementMs: "unlimited",
  });
  try {
    await releaseReactions(stores, "drop");
  } finally {
    await stores.close();
  }
}

/** @throws {Refusal} if the stores hold anything; nothing was changed. */
async function refuseUnlessEmpty(into: Installation): Promise<void> {
  const found =
    (await keysThere(into.keysUrl)) ??
    (await eventsThere(into.eventStoreUrl)) ??
    (await rowsThere(
      into.databaseUrl,
      DATA_SCHEMAS.map(({ name }) => name),
      "accounts or mails",
    )) ??
    (await filesThere(into.filesUrl));
  if (found)
    throw new Refusal(
      `The installation is not empty (${found}): restore into a new data folder, or into stores that are new. Nothing was changed.`,
    );
}

async function keysThere(url: string): Promise<string | undefined> {
  const found = await rowsThere(
    url,
    KEYS_SCHEMAS.map(({ name }) => name),
    "keys",
  );
  return found && (await isRestoring(url)) ? "an earlier restore into it was interrupted" : found;
}

async function eventsThere(url: string): Promise<string | undefined> {
  if (schemeOf(url) === "postgres") return rowsThere(url, [EVENT_LOG_SCHEMA], "events");
  const store = await openEventStore(url, { name: "restore" });
  try {
    return (await store.head()) === START ? undefined : "events";
  } finally {
    await store.close();
  }
}

async function filesThere(url: string): Promise<string | undefined> {
  const files = await openFileStore(url);
  try {
    for await (const _ of files.list()) return "files";
    return undefined;
  } finally {
    await files.close();
  }
}

/** Whether any table of the schemas has a row. Missing tables have none. */
async function rowsThere(
  url: string,
  schemas: readonly string[],
  what: string,
): Promise<string | undefined> {
  return onDatabase(url, async (query) => {
    const tables = await query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname = any($1) and tablename <> 'migration'`,
      [schemas],
    );
    for (const { name } of tables)
      if ((await query(`select 1 from ${name} limit 1`)).length > 0) return what;
    return undefined;
  });
}

async function isRestoring(url: string): Promise<boolean> {
  return onDatabase(url, async (query) => (await query(IS_RESTORING)).length > 0);
}

type Query = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;

async function onDatabase<T>(url: string, use: (query: Query) => Promise<T>): Promise<T> {
  return withClient({ url, name: "restore" }, (client) =>
    use(async (text, values) => (await client.query(text, values)).rows),
  );
}
