import { randomBytes } from "node:crypto";
import { pipeline } from "node:stream/promises";
import type { Pool, PoolClient } from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { lockUntilCommit } from "#runtime/db/lock.ts";
import { inTransaction } from "#runtime/db/migrate.ts";
import { openPool } from "#runtime/db/pool.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { KEY_SCHEMA } from "#vault/keys/key-schema.ts";
import { installKeyStore } from "#vault/keys/postgres-key-store.ts";

/** Number of moved keys. Destroyed keys leave a tombstone and count as subject keys. */
export interface MovedKeys {
  readonly subjectKeys: number;
  readonly destroyed: number;
  readonly serviceKeys: number;
}

/**
 * Moves the keys from the main database into their own, which must hold none yet. They are copied in one
 * transaction and compared; then the old schema is dropped. During the move, reads continue and writes
 * wait. It may be killed at any point and run again.
 *
 * @param from `postgres://` URL of the database that holds the keys now.
 * @param to `postgres://` URL of their new database. Both roles own the schema `keys` or may create it.
 * @returns undefined if there is nothing to move, or both URLs mean the same database.
 * @throws {Refusal} if the new database holds other keys; nothing is changed.
 */
export async function moveKeys({
  from,
  to,
}: {
  from: string;
  to: string;
}): Promise<MovedKeys | undefined> {
  await using opened = new AsyncDisposableStack();
  const open = (url: string): Pool => {
    const pool = openPool({ url, name: "migrate keys", max: 2 });
    opened.defer(() => pool.end());
    return pool;
  };
  const [source, target] = [open(from), open(to)];
  return await inTransaction(
    source,
    async (old) => {
      await lockUntilCommit(old, "move keys");
      if (!(await holdsKeys(old)) || (await areOneDatabase(old, target))) return undefined;
      // Brings both to the current layout, so that rows can be copied unchanged.
      await installKeyStore(source);
      await installKeyStore(target);
      await old.query(LOCK_TABLES);
      await refuseUnknownTables(old);
      const moved = await inTransaction(target, (client) => copyAll(old, client), {
        isLong: true,
        // The old keys are dropped next. Whatever the server's setting, the copy must be on disk by then.
        begin: "begin; set local synchronous_commit to on",
      });
      await old.query(DROP_SCHEMA);
      return moved;
    },
    { isLong: true },
  );
}

async function holdsKeys(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query("select 1 from pg_namespace where nspname = $1", [
    KEY_SCHEMA,
  ]);
  return rows.length > 0;
}

/** Whether both connections lead to the same database, whatever their addresses. */
async function areOneDatabase(client: PoolClient, other: Pool): Promise<boolean> {
  const mark = randomBytes(8).readBigInt64BE().toString();
  await client.query("select pg_advisory_xact_lock($1)", [mark]);
  const { rows } = await other.query<{ free: boolean }>(
    "select pg_try_advisory_xact_lock($1) as free",
    [mark],
  );
  return rows[0]?.free === false;
}

/** A table unknown to this version is not copied, so its rows would be lost. */
async function refuseUnknownTables(old: PoolClient): Promise<void> {
  const { rows } = await old.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = $1::regnamespace and relkind in ('r', 'p') and relname <> all($2)`,
    [KEY_SCHEMA, [...KEY_TABLES, "migration"]],
  );
  const [unknown] = rows;
  if (unknown)
    throw new Refusal(
      `The schema ${KEY_SCHEMA} in DATABASE_URL holds the table ${unknown.name}, which this program doesn't know: move or drop it.`,
    );
}

async function copyAll(old: PoolClient, client: PoolClient): Promise<MovedKeys> {
  await client.query(LOCK_TABLES);
  for (const table of KEY_TABLES) {
    await client.query(`create temporary table ${table} (like keys.${table}) on commit drop`);
    await pipeline(
      old.query(copyTo(`copy keys.${table} to stdout (format binary)`)),
      client.query(copyFrom(`copy pg_temp.${table} from stdin (format binary)`)),
    );
  }
  const { rowCount } = await client.query(ANY_KEY);
  if (rowCount === 0) {
    // The new store's own master key has not wrapped anything yet.
    await client.query("delete from keys.master_key");
    for (const table of KEY_TABLES)
      await client.query(`insert into keys.${table} select * from pg_temp.${table}`);
  }
  await refuseDifferences(client);
  const { rows } = await old.query<MovedKeys>(COUNTED);
  return rows[0] as MovedKeys;
}

async function refuseDifferences(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ name: string }>(DIFFERENCES);
  const [first, ...others] = rows.map(({ name }) => name);
  if (first === undefined) return;
  const more = others.length > 0 ? ` (and of ${others.length} more)` : "";
  throw new Refusal(
    `DATABASE_URL and KEYS_URL hold different keys of ${first}${more}: one of the two belongs to another registry, or a process ran without KEYS_URL. Nothing was moved. If only the keys in KEYS_URL were used since, rename the schema keys in DATABASE_URL. If only those in DATABASE_URL were, rename the one in KEYS_URL and migrate again. If both were, restore a backup.`,
  );
}

/** The key tables, each after the ones it references. */
const KEY_TABLES = ["master_key", "subject_key", "service_key"] as const;

/** Blocks writes and locks taken in order to write, but not reads. */
const LOCK_TABLES =
  "lock table keys.master_key, keys.subject_key, keys.service_key in exclusive mode";

const DROP_SCHEMA = "drop schema keys cascade";

const ANY_KEY =
  "(select from keys.subject_key limit 1) union all (select from keys.service_key limit 1)";

/** Keys in the old tables without an identical row in the new ones. */
const DIFFERENCES = `
  select 'version ' || version || ' of the master key' as name
  from (table pg_temp.master_key except table keys.master_key) d
  union all select subject from (table pg_temp.subject_key except table keys.subject_key) d
  union all
  select name || ' (services)' from (table pg_temp.service_key except table keys.service_key) d`;

const COUNTED = `
  select count(*)::int as "subjectKeys",
    count(*) filter (where destroyed_at is not null)::int as destroyed,
    (select count(*)::int from keys.service_key) as "serviceKeys"
  from keys.subject_key`;
