import type pg from "pg";
import { openEventStore } from "#event-store/open-event-store.ts";
import { openFileStore } from "#files/open-file-store.ts";
import { DATA_SCHEMAS, KEYS_SCHEMAS, type KeptSchema } from "#launcher/migrate/backed-up.ts";
import { createClient } from "#runtime/db/pool.ts";
import { openErasureLedger } from "#vault/erasures/erasure-ledger.ts";
import type { KeyLookup, KeyStore } from "#vault/keys/key-store.ts";
import { type MasterKeySource, readMasterKeys } from "#vault/keys/master-ring.ts";
import type { RunQuery } from "#vault/keys/owned-keys.ts";
import { refuseUnfinishedRestore } from "#vault/keys/usable-keys.ts";
import type { Entry } from "./archive/write-archive.ts";
import { orNoRegistry } from "./or-no-registry.ts";
import { type BackupContent, type BackupSource, type OpenedStores, sourceOf } from "./source.ts";
import { appliedMigrations, rowsOf, tablesOf } from "./tables.ts";

/** Everything that a backup is made of, or restored into. */
export interface Installation {
  readonly databaseUrl: string;
  readonly eventStoreUrl: string;
  readonly keysUrl: string;
  readonly filesUrl: string;
  /** `file:` URL of the ledger of erasures; undefined where none is kept. */
  readonly erasuresUrl: string | undefined;
  /** The current one among them signs manifests. */
  readonly masterKeys: MasterKeySource;
  /** Of the program. */
  readonly version: string;
}

/**
 * Opens what a backup is made of, while the system runs. The cut is the log's head after the snapshot of the
 * tables, and before the one of the keys: for every event there is its key, and a row that is older than
 * its event is what a process that died in between leaves as well.
 * @param options.filesLost takes a file store that lacks files of the log.
 * @throws as {@link sourceOf}. @throws {Refusal} the stores hold no registry. @throws {CannotStart} a
 *   restore into them is unfinished.
 */
export async function openSource(
  installation: Installation,
  { filesLost }: Pick<OpenedStores, "filesLost"> = {},
): Promise<BackupSource & AsyncDisposable> {
  const { databaseUrl, eventStoreUrl, keysUrl, filesUrl, erasuresUrl, version } = installation;
  const ledger =
    erasuresUrl === undefined ? undefined : await openErasureLedger(erasuresUrl).mark();
  await using opening = new AsyncDisposableStack();
  const database = await snapshotOf(databaseUrl, DATA_SCHEMAS, "DATABASE_URL");
  opening.defer(() => database.close());
  const store = await openEventStore(eventStoreUrl, { install: false, name: "backup" });
  opening.defer(() => store.close());
  const end = await orNoRegistry(store.head(), "EVENT_STORE_URL");
  const keys = await snapshotOf(keysUrl, KEYS_SCHEMAS, "KEYS_URL");
  opening.defer(() => keys.close());
  const files = openFileStore(filesUrl);
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

/**
 * The tables of a database at one moment, which is over once the entries were read.
 * @throws {Refusal} the database has none of these tables.
 */
async function snapshotOf(
  url: string,
  schemas: readonly KeptSchema[],
  variable: string,
): Promise<Snapshot> {
  const client = createClient({ url, name: "backup", statementMs: "unlimited" });
  // A statement on a lost connection fails.
  client.on("error", () => undefined);
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

/** States of keys: those of the snapshot, and the present ones once that is over. */
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
