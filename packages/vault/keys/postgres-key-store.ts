import type { Pool, QueryResultRow } from "pg";
import { Coalescer } from "#runtime/db/coalescer.ts";
import { applyMigrations, orRunMigrate } from "#runtime/db/migrate.ts";
import { isDatabaseUnavailable, openPool } from "#runtime/db/pool.ts";
import { withDeadline } from "#runtime/lifecycle/lifecycle.ts";
import { type InsertedKey, insertKeys, KEY_SCHEMA, keyMigrations } from "./key-schema.ts";
import {
  type KeyLookup,
  type KeyRequest,
  type KeyStore,
  KeyStoreUnavailable,
  type LiveKey,
  type OwnedPage,
  type RotationProgress,
  refuseUnfinishedRestore,
  refuseUnfinishedRotation,
  type TokenVerifier,
  WrongMasterKey,
} from "./key-store.ts";
import {
  type MasterKeySource,
  MasterRing,
  makeCheck,
  readMasterKeys,
  unwrapKey,
  wrapKey,
} from "./master-ring.ts";
import { BOUND_NAME, PostgresServiceKeys } from "./postgres-service-keys.ts";
import type { PermanentKey, ReplaceableKey } from "./service-keys.ts";

interface KeyStoreOptions {
  /** A pool that the caller closes, or a `postgres://` URL for a pool that the store opens. */
  readonly database: Pool | string;
  readonly masterKeys: MasterKeySource;
  /** Time limit of each call in milliseconds; 3000 if absent. */
  readonly timeoutMs?: number;
  /** Maximum number of connections of the store's own pool; 2 if absent. */
  readonly maxConnections?: number;
  /** Name shown in `pg_stat_activity`; the pool is `<name> keys`. */
  readonly name?: string;
  /** Milliseconds between polls for replaced service keys; 2000 if absent. */
  readonly pollMs?: number;
  /** Whether to open a store that is only partly restored, too. */
  readonly isRestoring?: boolean;
}

/** Creates or migrates the schema `keys`; if nothing is missing, it only reads. */
export async function installKeyStore(pool: Pool): Promise<void> {
  await applyMigrations(pool, KEY_SCHEMA, keyMigrations);
}

/**
 * Opens the key store of a PostgreSQL database, and installs it if absent.
 * @throws {WrongMasterKey} if none of the keys is the store's, or an unfinished rotation needs the previous one.
 * @throws {KeyStoreUnavailable} if the database is unreachable.
 * @throws {CannotStart} if something is missing and the role may not create it, or a restore is unfinished.
 */
export async function openKeyStore(options: KeyStoreOptions): Promise<KeyStore> {
  const store = new PostgresKeyStore(options);
  try {
    await store.open();
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

interface WrappedRow {
  readonly name: string;
  readonly wrapped: Buffer;
  readonly key_version: number;
}

const BATCH = 500;

class PostgresKeyStore implements KeyStore {
  readonly #pool: Pool;
  readonly #ownsPool: boolean;
  readonly #source: MasterKeySource;
  readonly #timeoutMs: number;
  readonly #isRestoring: boolean;
  readonly #services: PostgresServiceKeys;
  readonly #ensures = new Coalescer((calls: readonly (readonly KeyRequest[])[]) =>
    this.#ensureAll(calls),
  );
  readonly #run: RunQuery = (text, values) => this.#query(text, values);
  #ring: MasterRing | undefined;

  constructor(options: KeyStoreOptions) {
    this.#timeoutMs = options.timeoutMs ?? 3000;
    this.#source = options.masterKeys;
    this.#isRestoring = options.isRestoring ?? false;
    this.#services = new PostgresServiceKeys({
      query: (text, values) => this.#query(text, values),
      writeUnderCurrent: (write) => this.#writeUnderCurrent(write),
      unwrap: (row) => this.#unwrap("service", row),
      pollMs: options.pollMs,
    });
    this.#ownsPool = typeof options.database === "string";
    this.#pool =
      typeof options.database === "string"
        ? openPool({
            url: options.database,
            name: [options.name, "keys"].filter(Boolean).join(" "),
            max: options.maxConnections ?? 2,
            connectMs: this.#timeoutMs,
            statementMs: this.#timeoutMs,
            prepares: true,
          })
        : options.database;
  }

  async open(): Promise<void> {
    // Installing may wait for another process that is doing the same.
    await this.#guard(installKeyStore(this.#pool), Math.max(this.#timeoutMs, 30_000));
    if (!this.#isRestoring) await refuseUnfinishedRestore(this.#run);
    const [wanted] = await readMasterKeys(this.#source);
    if ((await this.#query("select 1 from keys.master_key limit 1", [])).length === 0)
      await orRunMigrate(
        this.#query(
          `insert into keys.master_key (version, check_box)
           select 1, $1 where not exists (select 1 from keys.master_key)
           on conflict do nothing`,
          [makeCheck(wanted as Buffer, 1)],
        ),
      );
    const ring = await this.#loadRing();
    await refuseUnfinishedRotation(this.#run, ring.unmatched);
  }

  async ensure(subjects: readonly KeyRequest[]): Promise<ReadonlyMap<string, KeyLookup>> {
    if (subjects.length === 0) return new Map();
    // A batch is several statements, each with the time limit of one call.
    return this.#guard(this.#ensures.add(subjects), 4 * this.#timeoutMs);
  }

  /** Creates the keys of many calls in one statement, and reads existing ones. */
  async #ensureAll(
    calls: readonly (readonly KeyRequest[])[],
  ): Promise<ReadonlyMap<string, KeyLookup>[]> {
    const requests = new Map(calls.flat().map((entry) => [entry.subject, entry]));
    const found = new Map<string, KeyLookup>();
    await this.#writeUnderCurrent(async (version, master) => {
      const insert = insertKeys([...requests.values()], version, master);
      const rows = await this.#query<InsertedKey>(insert.text, insert.values);
      for (const { subject, made } of rows) {
        const key = insert.keys.get(subject ?? "");
        if (subject !== null && made && key) found.set(subject, { state: "present", key });
      }
      return rows.length > 0;
    });
    const others = [...requests.keys()].filter((subject) => !found.has(subject));
    for (const [subject, lookup] of await this.get(others)) found.set(subject, lookup);
    return calls.map(
      (call) => new Map(call.map(({ subject }) => [subject, found.get(subject) as KeyLookup])),
    );
  }

  async get(subjects: readonly string[]): Promise<ReadonlyMap<string, KeyLookup>> {
    const found = new Map<string, KeyLookup>(
      subjects.map((subject) => [subject, { state: "missing" }]),
    );
    if (found.size === 0) return found;
    const rows = await this.#query<{
      subject: string;
      wrapped: Buffer | null;
      key_version: number | null;
      destroyed_at: Date | null;
    }>(
      `select subject, wrapped, key_version, destroyed_at from keys.subject_key
       where subject = any($1)`,
      [[...found.keys()]],
    );
    for (const row of rows) {
      if (row.wrapped !== null && row.key_version !== null) {
        const wrapped = { name: row.subject, wrapped: row.wrapped, key_version: row.key_version };
        found.set(row.subject, { state: "present", key: await this.#unwrap("subject", wrapped) });
      } else {
        const at = (row.destroyed_at as Date).toISOString();
        found.set(row.subject, { state: "destroyed", at });
      }
    }
    return found;
  }

  async destroy(subjects: readonly string[], at: string): Promise<number> {
    if (subjects.length === 0) return 0;
    const rows = await this.#query<{ was_live: boolean }>(
      `insert into keys.subject_key as k (subject, destroyed_at)
       select distinct subject, $2::timestamptz from unnest($1::text[]) as n (subject)
       order by subject
       on conflict (subject) do update
         set wrapped = null, key_version = null, destroyed_at = excluded.destroyed_at
         where k.destroyed_at is null
       returning k.created_at is not null as was_live`,
      [subjects, at],
    );
    return rows.filter((row) => row.was_live).length;
  }

  async destroyOwnedBy(owner: string, at: string): Promise<number> {
    const rows = await this.#query(
      `update keys.subject_key
       set wrapped = null, key_version = null, destroyed_at = $2::timestamptz
       where owner = $1 and destroyed_at is null returning 1`,
      [owner, at],
    );
    return rows.length;
  }

  async own(owner: string, subjects: readonly string[]): Promise<void> {
    await this.#query(
      `update keys.subject_key set owner = $1
       where subject = any($2::text[]) and owner is null`,
      [owner, subjects],
    );
  }

  async disown(owner: string, only?: readonly string[]): Promise<void> {
    await this.#query(
      `update keys.subject_key set owner = null
       where owner = $1 and ($2::text[] is null or subject = any($2::text[]))`,
      [owner, only ?? null],
    );
  }

  async ownedBy(owner: string, page?: OwnedPage): Promise<readonly string[]> {
    const rows = await this.#query<{ subject: string }>(
      `select subject from keys.subject_key
       where owner = $1 and ($2::text is null or subject collate "C" > $2)
       order by subject collate "C" limit $3`,
      [owner, page?.after ?? null, page?.limit ?? null],
    );
    return rows.map(({ subject }) => subject);
  }

  async serviceKey(name: PermanentKey): Promise<Buffer> {
    return (await this.#services.live(name)).current();
  }

  liveKey(name: ReplaceableKey): Promise<LiveKey> {
    return this.#services.live(name);
  }

  tokenVerifier(): Promise<TokenVerifier> {
    return this.#services.verifier();
  }

  replaceServiceKey(name: ReplaceableKey, leadMs?: number) {
    return this.#services.replace(name, leadMs);
  }

  async rotate(newMaster: Buffer, onProgress?: RotationProgress): Promise<number> {
    await readMasterKeys([newMaster]);
    const before = await this.#loadRing([newMaster]);
    if (!before.currentKey.equals(newMaster)) {
      // One statement: the previous version closes for writers as the new one opens.
      await this.#query(
        `with former as (
           update keys.master_key set superseded_at = now()
           where version = $1 and superseded_at is null returning version
         )
         insert into keys.master_key (version, check_box)
         select former.version + 1, $2 from former`,
        [before.current, makeCheck(newMaster, before.current + 1)],
      );
    }
    const ring = await this.#loadRing([newMaster]);
    if (!ring.currentKey.equals(newMaster))
      throw new WrongMasterKey("another rotation put a different master key in place");
    let done = 0;
    for (const [kind, table, column] of [
      ["service", "keys.service_key", BOUND_NAME],
      ["subject", "keys.subject_key", "subject"],
    ] as const) {
      for (;;) {
        const rows = await this.#query<WrappedRow>(
          `select ${column} as name, wrapped, key_version from ${table}
           where key_version < $1 limit ${BATCH}`,
          [ring.current],
        );
        if (rows.length === 0) break;
        done += await this.#rewrap(ring, kind, table, column, rows);
        onProgress?.(done);
      }
    }
    return done;
  }

  async #rewrap(
    ring: MasterRing,
    kind: "service" | "subject",
    table: string,
    column: string,
    rows: readonly WrappedRow[],
  ): Promise<number> {
    const { current: version, currentKey } = ring;
    const wrapped: Buffer[] = [];
    for (const row of rows) {
      const key = await this.#unwrap(kind, row);
      wrapped.push(wrapKey(currentKey, key, { kind, name: row.name, version }));
    }
    const updated = await this.#query(
      // A key that was destroyed in the meantime has no version anymore and stays destroyed.
      `update ${table} set wrapped = n.rewrapped, key_version = $1
       from unnest($2::text[], $3::bytea[], $4::int[]) as n (bound, rewrapped, former)
       where (${column}) = n.bound and key_version = n.former returning 1`,
      [version, rows.map((row) => row.name), wrapped, rows.map((row) => row.key_version)],
    );
    return updated.length;
  }

  async sweepUnused(
    olderThan: Date,
    inUse: (subjects: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<number> {
    let removed = 0;
    let after = "";
    for (;;) {
      const rows = await this.#query<{ subject: string }>(
        `select subject from keys.subject_key
         where not used and destroyed_at is null and ensured_at < $1 and subject > $2
         order by subject limit ${BATCH}`,
        [olderThan, after],
      );
      const subjects = rows.map((row) => row.subject);
      const last = subjects.at(-1);
      if (last === undefined) return removed;
      after = last;
      const used = await inUse(subjects);
      await this.#query("update keys.subject_key set used = true where subject = any($1)", [
        subjects.filter((subject) => used.has(subject)),
      ]);
      const gone = await this.#query(
        // A command that requested the key in the meantime has renewed ensured_at.
        `delete from keys.subject_key
         where subject = any($1) and not used and destroyed_at is null and ensured_at < $2
         returning 1`,
        [subjects.filter((subject) => !used.has(subject)), olderThan],
      );
      removed += gone.length;
    }
  }

  async close(): Promise<void> {
    this.#services.close();
    if (this.#ownsPool && !this.#pool.ended) await this.#pool.end();
  }

  /** Runs a write that must name the current version, and retries it if a rotation has replaced that. */
  async #writeUnderCurrent(
    write: (version: number, master: Buffer) => Promise<boolean>,
  ): Promise<void> {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const ring = this.#ring ?? (await this.#loadRing());
      if (await write(ring.current, ring.currentKey)) return;
      await this.#loadRing();
    }
    throw new KeyStoreUnavailable("the master key keeps changing");
  }

  async #unwrap(kind: "subject" | "service", row: WrappedRow): Promise<Buffer> {
    const version = row.key_version;
    const master =
      (this.#ring ?? (await this.#loadRing())).keyOf(version) ??
      (await this.#loadRing()).keyOf(version);
    if (!master)
      throw new WrongMasterKey(`no master key given opens keys of version ${version} of the store`);
    return unwrapKey(master, row.wrapped, { kind, name: row.name, version });
  }

  async #loadRing(extra: readonly Buffer[] = []): Promise<MasterRing> {
    const keys = await readMasterKeys(this.#source);
    const rows = await this.#query<{ version: number; check_box: Buffer; current: boolean }>(
      `select version, check_box, superseded_at is null as current
       from keys.master_key order by version`,
      [],
    );
    const versions = rows.map((row) => ({
      version: row.version,
      check: row.check_box,
      current: row.current,
    }));
    this.#ring = new MasterRing(versions, [...keys, ...extra]);
    return this.#ring;
  }

  async #query<Row extends QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    const config = { text, values, query_timeout: this.#timeoutMs };
    const result = await this.#guard(this.#pool.query<Row>(config), this.#timeoutMs);
    return result.rows;
  }

  async #guard<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
    try {
      return await withDeadline(
        work,
        timeoutMs,
        () => new KeyStoreUnavailable(`the key store did not answer within ${timeoutMs} ms`),
      );
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      throw new KeyStoreUnavailable("the key store is unreachable", { cause: error });
    }
  }
}

/** Runs one statement of the store, within its time limit. */
export type RunQuery = <Row extends QueryResultRow>(
  text: string,
  values: unknown[],
) => Promise<Row[]>;
