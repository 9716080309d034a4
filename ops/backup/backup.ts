import { randomUUID } from "node:crypto";
import type pg from "pg";
import { given } from "#contracts/given.ts";
import { ABORTED, orAborted } from "#event-store/abort.ts";
import { openEventStore } from "#event-store/open-event-store.ts";
import { type EventStore, type Position, START } from "#event-store/port.ts";
import { openFileStore } from "#files/open-file-store.ts";
import type { FileStore } from "#files/port.ts";
import { DATA_SCHEMAS, KEYS_SCHEMAS, type KeptSchema } from "#launcher/migrate/backed-up.ts";
import { createClient } from "#runtime/db/pool.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { type LedgerMark, openErasureLedger } from "#vault/erasures/erasure-ledger.ts";
import { type MasterKeySource, readMasterKeys } from "#vault/keys/master-ring.ts";
import {
  ARCHIVE_FORMAT,
  type Manifest,
  type Part,
  PRODUCT,
  signManifest,
} from "./archive/manifest.ts";
import { archiveOf, type Entry } from "./archive/write-archive.ts";
import type { ArchivePlace } from "./place.ts";
import {
  appliedMigrations,
  byLines,
  entryName,
  partOfTable,
  rowsOf,
  type Table,
  tablesOf,
} from "./tables.ts";

/** Everything that a backup is made of, or restored into. */
export interface Installation {
  readonly databaseUrl: string;
  readonly eventStoreUrl: string;
  readonly keysUrl: string;
  readonly filesUrl: string;
  /** `file:` URL of the ledger of erasures; undefined where none is kept. */
  readonly erasuresUrl: string | undefined;
  /** The one that signs manifests first. */
  readonly masterKeys: MasterKeySource;
  /** Of the program. */
  readonly version: string;
}

/** Where the two archives of a backup go: never to the same place. */
export interface BackupPlaces {
  readonly data: ArchivePlace;
  readonly keys: ArchivePlace;
}

export interface MadeBackup {
  readonly name: string;
  readonly dataFile: string;
  readonly keysFile: string;
  readonly events: number;
  readonly files: number;
}

export const EVENTS = "events";
export const FILES = "files";

/**
 * Makes a backup while the system runs. The cut is the log's head after the snapshot of the tables,
 * and before the one of the keys: for every event there is its key, and a row that is older than its
 * event is what a process that died in between leaves as well.
 * @param signal stops it.
 * @param wrote is told the size of the archive so far.
 * @throws {Refusal} a disk is full, or a place cannot be written to: then nothing is left of it.
 * @throws the signal's reason, and then as well nothing is left.
 */
export async function makeBackup(
  installation: Installation,
  places: BackupPlaces,
  signal?: AbortSignal,
  wrote: (bytes: number) => void = () => undefined,
): Promise<MadeBackup> {
  refuseOnePlace(places);
  const [masterKey] = await readMasterKeys(installation.masterKeys);
  const now = new Date().toISOString();
  const name = `registry-${now.toLowerCase().replaceAll(/[:.]/g, "-")}`;
  for (const place of [places.data, places.keys]) await place.removeAbandoned();
  const { erasuresUrl, version } = installation;
  const ledger =
    erasuresUrl === undefined ? undefined : await openErasureLedger(erasuresUrl).mark();
  const head = {
    backup: randomUUID(),
    version,
    madeAt: now,
    ledger,
    masterKey: masterKey as Buffer,
  };

  const store = await openEventStore(installation.eventStoreUrl, {
    install: false,
    name: "backup",
  });
  const files = openFileStore(installation.filesUrl);
  const database = await snapshotOf(installation.databaseUrl, DATA_SCHEMAS);
  try {
    const end = await store.head();
    const keysFile = await putKeys(installation, places.keys, name, head, signal);
    try {
      const parts = dataEntries({ database, store, end, files });
      const counted = new Map<string, Part>();
      const manifest = manifestOf(head, "data", database, counted);
      const dataFile = await places.data.put(
        name,
        until(signal, tallied(archiveOf(parts, manifest), wrote)),
      );
      const items = (part: string) => counted.get(part)?.items ?? 0;
      return { name, dataFile, keysFile, events: items(EVENTS), files: items(FILES) };
    } catch (error) {
      await places.keys.remove(name);
      throw error;
    }
  } finally {
    await database.close();
    await store.close();
    await files.close();
  }
}

/** @throws {Refusal} whoever gets one of the archives must not get the other. */
function refuseOnePlace({ data, keys }: BackupPlaces): void {
  if (data.holds(keys) || keys.holds(data))
    throw new Refusal(
      "The keys must not be kept where the archive is: let BACKUP_KEYS_URL name another folder than BACKUP_URL, beside it or elsewhere.",
    );
}

type Head = Pick<Manifest, "backup" | "version" | "madeAt"> & {
  readonly ledger: LedgerMark | undefined;
  readonly masterKey: Buffer;
};

/** Makes the manifest of the parts' sums. @param counted is filled with them. */
function manifestOf(
  { masterKey, ledger, ...head }: Head,
  kind: Manifest["kind"],
  { tables, migrations }: Pick<Snapshot, "tables" | "migrations">,
  counted = new Map<string, Part>(),
) {
  const columns = new Map(tables.map((table) => [partOfTable(table.name), table.columns]));
  return (sums: ReadonlyMap<string, Part>) => {
    for (const [part, sum] of sums) {
      const listed = columns.get(part);
      counted.set(part, { ...sum, ...(listed ? { columns: [...listed] } : {}) });
    }
    const mark = ledger && { id: ledger.id, bytes: ledger.bytes, sha256: ledger.sha256 };
    const manifest = {
      product: PRODUCT,
      format: ARCHIVE_FORMAT,
      ...head,
      kind,
      parts: Object.fromEntries(counted),
      migrations,
      ...given({ ledger: mark }),
    } as const;
    return signManifest(manifest, masterKey);
  };
}

async function putKeys(
  { keysUrl }: Installation,
  place: ArchivePlace,
  name: string,
  head: Head,
  signal: AbortSignal | undefined,
): Promise<string> {
  const keys = await snapshotOf(keysUrl, KEYS_SCHEMAS);
  try {
    return await place.put(
      name,
      until(signal, archiveOf(keys.rows(), manifestOf(head, "keys", keys))),
    );
  } finally {
    await keys.close();
  }
}

/** The bytes of an archive. @param wrote is told after each piece how many they are so far. */
async function* tallied(
  content: AsyncIterable<Uint8Array>,
  wrote: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, void> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    yield chunk;
    wrote(bytes);
  }
}

/**
 * The bytes of an archive until somebody stops it, at the latest before its last one. It does not wait for a store
 * that does not answer: what is half written is removed meanwhile, and the connections are closed.
 */
async function* until(
  signal: AbortSignal | undefined,
  content: AsyncGenerator<Uint8Array, void, void>,
): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const next = await orAborted(content.next(), signal);
      if (next === ABORTED) throw signal?.reason;
      signal?.throwIfAborted();
      if (next.done) return;
      yield next.value;
    }
  } finally {
    const ended = content.return();
    if (signal?.aborted) ended.catch(() => undefined);
    else await ended;
  }
}

interface Snapshot {
  readonly tables: readonly Table[];
  readonly migrations: Record<string, string[]>;
  /** Ends the snapshot, once. */
  rows(): AsyncGenerator<Entry>;
  close(): Promise<void>;
}

/** The tables of a database at one moment, which is over when this resolves. */
async function snapshotOf(url: string, schemas: readonly KeptSchema[]): Promise<Snapshot> {
  const client = createClient({ url, name: "backup", statementMs: "unlimited" });
  // A statement on a lost connection fails.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    const tables = await tablesOf(client, schemas);
    const migrations = await appliedMigrations(client, schemas);
    return {
      tables,
      migrations,
      async *rows() {
        for (const table of tables) yield* rowsOf(client as pg.ClientBase, table);
        await client.query("commit");
      },
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function* dataEntries(from: {
  database: Snapshot;
  store: EventStore;
  end: Position;
  files: FileStore;
}): AsyncGenerator<Entry> {
  yield* from.database.rows();
  for await (const { bytes, lines, number } of byLines(eventLines(from.store, from.end)))
    yield { name: entryName(EVENTS, number), size: bytes.length, content: [bytes], items: lines };
  for await (const { id, bytes } of from.files.list()) {
    const content = await from.files.get(id);
    // It was erased meanwhile.
    if (content) yield { name: `${FILES}/${id}`, size: bytes, content, items: 1 };
  }
}

async function* eventLines(store: EventStore, end: Position): AsyncGenerator<string> {
  if (end === START) return;
  for await (const { position, ...event } of store.readAll()) {
    yield `${JSON.stringify(event)}\n`;
    if (position >= end) return;
  }
}
