import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { type EventStore, type Position, START, type StoredEvent } from "#event-store/port.ts";
import { parsePosition } from "#event-store/position.ts";
import type { FileStore } from "#files/port.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { refuseForeignLog } from "#services/command-api/log/own-log.ts";
import type { LedgerMark } from "#vault/erasures/erasure-ledger.ts";
import { type KeyStore, WrongMasterKey } from "#vault/keys/key-store.ts";
import { MasterRing, type MasterVersion } from "#vault/keys/master-ring.ts";
import { registryCodec } from "#vault/sealing/registry-codec.ts";
import type { NeededKey } from "./archive/manifest.ts";
import type { Entry } from "./archive/write-archive.ts";
import { EVENTS, FILES } from "./backup.ts";
import { setNumber } from "./kept-number.ts";
import { byLines, entryName, type Table } from "./tables.ts";

/** What goes into one of the two archives. */
export interface BackupContent {
  readonly tables: readonly Table[];
  /** Ids of the migrations of each schema whose tables are in it. */
  readonly migrations: Record<string, string[]>;
  /** To be read once. */
  entries(): AsyncIterable<Entry>;
}

/** What a backup is made of, cut at one moment. */
export interface BackupSource {
  /** Id of the log. */
  readonly log: string;
  /** For how many days backups are kept; 0 where admins have not set it. */
  readonly days: number;
  /** Of the program. */
  readonly version: string;
  readonly ledger: LedgerMark | undefined;
  /** Versions of the master key that the keys are wrapped under. */
  readonly neededKeys: readonly NeededKey[];
  /** The current one. */
  readonly masterKey: Buffer;
  /** All that were given. */
  readonly masterKeys: readonly Buffer[];
  readonly data: BackupContent;
  /** Cut after the data: for every event there is its key. */
  readonly keys: BackupContent;
}

/** The stores of a registry, as they are opened for a backup. */
export interface OpenedStores extends Pick<BackupSource, "version" | "ledger" | "masterKeys"> {
  readonly database: BackupContent;
  readonly store: EventStore;
  /** The log's head, after the database was cut and before the keys were. */
  readonly end: Position;
  readonly files: Pick<FileStore, "list" | "get">;
  readonly keys: BackupContent;
  /** Versions of the master key, and whether keys are wrapped under them. */
  readonly masterVersions: readonly (MasterVersion & { readonly used: boolean })[];
  /** States of keys. */
  readonly keyStates: Pick<KeyStore, "get">;
  /** Takes a file store that lacks files of the log. */
  readonly filesLost?: boolean | undefined;
}

/**
 * What a backup is made of. Reading it refuses files that are missing, and a log with a gap.
 * @throws {Refusal} there is no log. @throws {KeyMissing} the stores do not belong together.
 * @throws {WrongMasterKey}
 */
export async function sourceOf(stores: OpenedStores): Promise<BackupSource> {
  const { database, store, keys, keyStates, version, ledger, masterKeys } = stores;
  const log = await logId(store);
  const needed = neededKeysOf(stores);
  await refuseForeignLog(store, keyStates, registryCodec);
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

/** As at the start of a service. */
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
      // A backup that ends early reads it no further.
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

/** Keeps the files that the log names and that were not erased. */
function noteFiles({ type, data }: StoredEvent, named: Set<string>): void {
  const { file_id = "", copy_id = "" } = data as { file_id?: string; copy_id?: string };
  if (type === "EvidenceAdded") named.add(file_id);
  else if (type === "EvidencePublished") named.add(copy_id);
  else if (type === "EvidenceErased") named.delete(file_id);
}

/** @throws {Refusal} files that the log names are missing, and were not erased while the backup was made. */
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
