import type pg from "pg";
import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { settingsAt } from "#contracts/settings/settings-at.ts";
import { openEventStore } from "#event-store/open-event-store.ts";
import {
  type EventStore,
  type Position,
  parsePosition,
  START,
  type StoredEvent,
} from "#event-store/port.ts";
import { openFileStore } from "#files/file-stores.ts";
import type { FileStore } from "#files/port.ts";
import { DATA_SCHEMAS, KEYS_SCHEMAS, type KeptSchema } from "#launcher/migrate/rights.ts";
import { createClient } from "#runtime/db/pool.ts";
import { errorCode, Refusal } from "#runtime/lifecycle/refusal.ts";
import { assertOwnLog } from "#services/command-api/log/own-log.ts";
import { type LedgerMark, openErasureLedger } from "#vault/erasures/erasure-ledger.ts";
import {
  type KeyLookup,
  type KeyStore,
  refuseUnfinishedRestore,
  WrongMasterKey,
} from "#vault/keys/key-store.ts";
import {
  type MasterKeySource,
  MasterRing,
  type MasterVersion,
  readMasterKeys,
} from "#vault/keys/master-ring.ts";
import type { RunQuery } from "#vault/keys/postgres-key-store.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import type { Entry } from "./archive.ts";
import { EVENTS, FILES, type NeededKey } from "./manifest.ts";
import { appliedMigrations, byLines, entryName, rowsOf, type Table, tablesOf } from "./tables.ts";

/** SQLSTATEs for a missing table or schema. */
const ABSENT = new Set(["42P01", "3F000"]);

/** Awaits a read from a store. @param variable that names it. @throws {Refusal} if it has no tables of a registry. */
export async function orNoRegistry<T>(read: Promise<T>, variable: string): Promise<T> {
  try {
    return await read;
  } catch (error) {
    const { cause } = error as Error;
    if (![error, cause].some((each) => ABSENT.has(errorCode(each) ?? ""))) throw error;
    throw new Refusal(
      `${variable} holds no registry of this version: correct it, or start the registry once. No backup was made.`,
      { cause: error },
    );
  }
}

/** For how many days to keep backups, as set by admins (stored unencrypted); 0 if not set. */
export async function setNumber(store: Pick<EventStore, "readStream">): Promise<number> {
  let backupKeep = 0;
  for await (const { data } of store.readStream(streams.settings))
    if (typeof data.backup_keep === "number") backupKeep = data.backup_keep;
  return settingsAt({ values: { backupKeep } }, Date.now()).backupKeep;
}

/** Content of one of the two archives. */
export interface BackupContent {
  readonly tables: readonly Table[];
  readonly migrations: Record<string, string[]>;
  /** Can be read only once. */
  entries(): AsyncIterable<Entry>;
}

/** A consistent snapshot to back up. */
export interface BackupSource {
  /** ID of the log. */
  readonly log: string;
  /** For how many days to keep backups; 0 if admins have not set it. */
  readonly days: number;
  readonly version: string;
  readonly ledger: LedgerMark | undefined;
  /** Versions of the master key that wrap the keys. */
  readonly neededKeys: readonly NeededKey[];
  /** The current one. */
  readonly masterKey: Buffer;
  readonly masterKeys: readonly Buffer[];
  readonly data: BackupContent;
  /** Taken after the data, so that every event has its key. */
  readonly keys: BackupContent;
}

interface OpenedStores extends Pick<BackupSource, "version" | "ledger" | "masterKeys"> {
  readonly database: BackupContent;
  readonly store: EventStore;
  /** The log's head, taken before the database and the keys. */
  readonly end: Position;
  readonly files: Pick<FileStore, "list" | "get">;
  readonly keys: BackupContent;
  /** Versions of the master key, and whether any keys are wrapped under each. */
  readonly masterVersions: readonly (MasterVersion & { readonly used: boolean })[];
  readonly keyStates: Pick<KeyStore, "get">;
  /** Accepts a file store that lacks files named in the log. */
  readonly filesLost?: boolean | undefined;
}

/**
 * Assembles what to back up. Reading it fails if files are missing or the log has a gap.
 * @throws {Refusal} if there is no log.
 * @throws {KeyMissing} if the stores do not belong together.
 * @throws {WrongMasterKey}
 */
export async function sourceOf(stores: OpenedStores): Promise<BackupSource> {
  const { database, store, keys, keyStates, version, ledger, masterKeys } = stores;
  const log = await logId(store);
  const needed = neededKeysOf(stores);
  await assertOwnLog(store, keyStates, registryCodec);
  const entries = async function* () {
    yield* database.entries();
    yield* eventsAndFiles(stores);
  };
  const data = { ...database, entries };
  const days = await setNumber(store);
  return { log, days, version, ledger, masterKeys, ...needed, data, keys };
}

async function logId(store: EventStore): Promise<string> {
  for await (const { id } of store.readStream(streams.log)) return id;
  throw new Refusal(
    "EVENT_STORE_URL holds no log of a registry: correct it, or start the registry once. No backup was made.",
  );
}

/** The same check as at the start of a service. */
function neededKeysOf({
  masterVersions,
  masterKeys,
}: OpenedStores): Pick<BackupSource, "neededKeys" | "masterKey"> {
  const ring = new MasterRing(masterVersions, masterKeys);
  const needed = masterVersions.filter(({ current, used }) => current || used);
  if (needed.some(({ version }) => !ring.keyOf(version)))
    throw new WrongMasterKey(
      "a rotation of the master key is unfinished: give the previous key too, after the new one and a comma (MASTER_KEY)",
    );
  const neededKeys = needed.map(({ version, check }) => ({
    version,
    check: check.toString("base64"),
  }));
  return { neededKeys, masterKey: ring.currentKey };
}

async function* eventsAndFiles(stores: OpenedStores): AsyncGenerator<Entry> {
  const { store, end, files, keyStates, filesLost } = stores;
  const named = new Set<string>();
  let events = 0;
  const lines = eventLines(store, end, (event) => {
    events += 1;
    noteFiles(event, named);
  });
  for await (const { bytes, lines: items, number } of byLines(lines))
    yield { name: entryName(EVENTS, number), size: bytes.length, content: [bytes], items };
  const expected = Number(parsePosition(end));
  if (store.positions === "consecutive" && events !== expected)
    throw new Refusal(
      `The log has ${expected} events, and ${events} of them could be read: check it with npm run audit:verify. No backup was made.`,
    );
  const all = named.size;
  for await (const { id, bytes } of files.list()) {
    const content = await files.get(id);
    // It was erased in the meantime.
    if (!content) continue;
    try {
      yield { name: `${FILES}/${id}`, size: bytes, content, items: 1 };
    } finally {
      // A backup that ends early stops reading it.
      content.destroy();
    }
    named.delete(id);
  }
  if (!filesLost) await refuseMissing(named, all, keyStates);
}

async function* eventLines(
  store: EventStore,
  end: Position,
  note: (event: StoredEvent) => void,
): AsyncGenerator<string> {
  if (end === START) return;
  for await (const event of store.readAll()) {
    const { position, ...stored } = event;
    note(event);
    yield `${JSON.stringify(stored)}\n`;
    if (position >= end) return;
  }
}

/** Tracks the files that the log names and that were not erased. */
function noteFiles({ type, data }: StoredEvent, named: Set<string>): void {
  const { file_id = "", copy_id = "" } = data as { file_id?: string; copy_id?: string };
  if (type === "EvidenceAdded") named.add(file_id);
  else if (type === "EvidencePublished") named.add(copy_id);
  else if (type === "EvidenceErased") named.delete(file_id);
}

/** @throws {Refusal} if files named in the log are missing and were not erased during the backup. */
async function refuseMissing(
  missing: ReadonlySet<string>,
  all: number,
  keys: Pick<KeyStore, "get">,
): Promise<void> {
  const states = await keys.get([...missing].map(subjects.file));
  const lost = [...states.values()].filter(({ state }) => state === "present").length;
  if (lost > 0)
    throw new Refusal(
      `${lost} of the ${all} files that the log names are not in FILES_URL: is it the right place? No backup was made. If they are lost for good, delete them on their reports, or make one backup without them: npm run backup -- --files-lost`,
    );
}

/** Everything a backup is made from or restored into. */
export interface Installation {
  readonly databaseUrl: string;
  readonly eventStoreUrl: string;
  readonly keysUrl: string;
  readonly filesUrl: string;
  /** `file:` URL of the erasure ledger; undefined if none is kept. */
  readonly erasuresUrl: string | undefined;
  /** The current one of these signs manifests. */
  readonly masterKeys: MasterKeySource;
  readonly version: string;
}

/**
 * Opens what to back up, while the system is running. The log's head is taken before the snapshots of the
 * tables and keys. So every event has its key; a row newer than the log is like one left by a process that died
 * before its append; and events of credentials missing from the log are in the outbox.
 * @param options.filesLost accepts a file store that lacks files named in the log.
 * @throws as {@link sourceOf}.
 * @throws {Refusal} if the stores hold no registry.
 * @throws {CannotStart} if a restore into them is unfinished.
 */
export async function openSource(
  installation: Installation,
  { filesLost }: Pick<OpenedStores, "filesLost"> = {},
): Promise<BackupSource & AsyncDisposable> {
  const { databaseUrl, eventStoreUrl, keysUrl, filesUrl, erasuresUrl, version } = installation;
  const ledger =
    erasuresUrl === undefined ? undefined : await openErasureLedger(erasuresUrl).mark();
  await using opening = new AsyncDisposableStack();
  const store = await openEventStore(eventStoreUrl, { install: false, name: "backup" });
  opening.defer(() => store.close());
  const logIn = eventStoreUrl === databaseUrl ? "DATABASE_URL" : "EVENT_STORE_URL";
  const end = await orNoRegistry(store.head(), logIn);
  const database = await snapshotOf(databaseUrl, DATA_SCHEMAS, "DATABASE_URL");
  opening.defer(() => database.close());
  const keys = await snapshotOf(keysUrl, KEYS_SCHEMAS, "KEYS_URL");
  opening.defer(() => keys.close());
  const files = await openFileStore(filesUrl);
  opening.defer(() => files.close());
  const source = await sourceOf({
    ...{ version, ledger, database, store, end, files, keys, filesLost },
    masterKeys: await readMasterKeys(installation.masterKeys),
    masterVersions: await masterVersions(keys),
    keyStates: statesIn(keys),
  });
  const stores = opening.move();
  return { ...source, [Symbol.asyncDispose]: () => stores.disposeAsync() };
}

interface Snapshot extends BackupContent {
  readonly client: pg.ClientBase;
  close(): Promise<void>;
}

/** Snapshots the tables of a database. @throws {Refusal} if the database has none of these tables. */
async function snapshotOf(
  url: string,
  schemas: readonly KeptSchema[],
  variable: string,
): Promise<Snapshot> {
  const client = createClient({ url, name: "backup", statementMs: "unlimited" });
  await client.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    const tables = await tablesOf(client, schemas);
    const migrations = await orNoRegistry(appliedMigrations(client, schemas), variable);
    return {
      client,
      tables,
      migrations,
      async *entries(): AsyncGenerator<Entry> {
        for (const table of tables) yield* rowsOf(client, table);
        await client.query("commit");
      },
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function masterVersions({ client }: Snapshot): Promise<OpenedStores["masterVersions"]> {
  const run: RunQuery = async (text, values) => (await client.query(text, values)).rows;
  await refuseUnfinishedRestore(run);
  return run(
    `select version, check_box as check, superseded_at is null as current,
       exists (select from keys.subject_key k where k.key_version = m.version)
         or exists (select from keys.service_key k where k.key_version = m.version) as used
     from keys.master_key m order by version`,
    [],
  );
}

/** Reads key states: those of the snapshot, or current ones once it has ended. */
function statesIn({ client }: Pick<Snapshot, "client">): Pick<KeyStore, "get"> {
  return {
    async get(names) {
      const { rows } = await client.query<{ subject: string; at: Date | null }>(
        "select subject, destroyed_at as at from keys.subject_key where subject = any($1)",
        [names],
      );
      const found = new Map<string, KeyLookup>(names.map((name) => [name, { state: "missing" }]));
      for (const { subject, at } of rows)
        found.set(
          subject,
          at
            ? { state: "destroyed", at: at.toISOString() }
            : { state: "present", key: Buffer.alloc(0) },
        );
      return found;
    },
  };
}
