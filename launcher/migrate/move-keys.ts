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

/** How many keys were moved. Destroyed keys leave a mark and are counted as subject keys. */
export interface MovedKeys {
  readonly subjectKeys: number;
  readonly destroyed: number;
  readonly serviceKeys: number;
}

/**
 * Moves keys into their own database. An earlier version kept them with everything else. The keys
 * are copied in one transaction, counted and compared. The old schema is dropped once the copy is
 * committed. Nobody else can write the old tables meanwhile.
 *
 * The move may be killed at any point and called again. A key that was destroyed on either side
 * stays destroyed, and a service key that was replaced in the new database does not come back.
 *
 * @param from `postgres://` URL of the database that holds the keys now.
 * @param to `postgres://` URL of their new database. Both roles own the schema `keys` or may create
 *   it.
 * @returns undefined when there is nothing to move, or both URLs mean the same database.
 * @throws {Refusal} when the two hold keys of different registries; nothing is changed.
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
      // Brings both to the current layout, so that rows can be copied as they are.
      await installKeyStore(source);
      await installKeyStore(target);
      await old.query(LOCK_TABLES);
      await refuseUnknownTables(old);
      const moved = await inTransaction(target, (client) => copyAll(old, client), {
        isLong: true,
        // The old keys are dropped next. Whatever the server's setting, the copy must be on disk by
        // then.
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

/** Whether both connections lead to the same database, whatever their addresses are. */
async function areOneDatabase(client: PoolClient, other: Pool): Promise<boolean> {
  const mark = randomBytes(8).readBigInt64BE().toString();
  await client.query("select pg_advisory_xact_lock($1)", [mark]);
  const { rows } = await other.query<{ free: boolean }>(
    "select pg_try_advisory_xact_lock($1) as free",
    [mark],
  );
  return rows[0]?.free === false;
}

/** A table that this version does not know is not copied, so its rows would be lost. */
async function refuseUnknownTables(old: PoolClient): Promise<void> {
  const { rows } = await old.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = $1::regnamespace and relkind in ('r', 'p') and relname <> all($2)`,
    [KEY_SCHEMA, [...KEY_TABLES, "migration"]],
  );
  const [unknown] = rows;
  if (unknown)
    throw new Refusal(
      `The schema ${KEY_SCHEMA} in DATABASE_URL holds the table ${unknown.name}, which is no table of this program: move it away.`,
    );
}

async function copyAll(old: PoolClient, client: PoolClient): Promise<MovedKeys> {
  await client.query(LOCK_TABLES);
  for (const table of KEY_TABLES) {
    await client.query(STAGE_TABLES[table]);
    await pipeline(
      old.query(copyTo(`copy ${KEY_SCHEMA}.${table} to stdout (format binary)`)),
      client.query(copyFrom(`copy pg_temp.${table} from stdin (format binary)`)),
    );
  }
  await client.query(FORGET_UNUSED_MASTER);
  await refuseConflicts(client);
  for (const statement of MERGE) await client.query(statement);
  const expected = await count<Omit<MovedKeys, "destroyed">>(old, EXPECTED);
  const found = await count<MovedKeys>(client, COUNTED);
  if (expected.subjectKeys !== found.subjectKeys || expected.serviceKeys !== found.serviceKeys)
    throw new Error(
      `the keys were not moved: ${JSON.stringify(expected)} became ${JSON.stringify(found)}`,
    );
  return found;
}

async function refuseConflicts(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ name: string }>(CONFLICTS);
  const [first, ...others] = rows.map(({ name }) => name);
  if (first === undefined) return;
  const more = others.length > 0 ? ` (and of ${others.length} more)` : "";
  throw new Refusal(
    `DATABASE_URL and KEYS_URL hold different keys of ${first}${more}: one of the two is of another registry, or of a process that ran without KEYS_URL. Nothing was moved.`,
  );
}

async function count<Counts>(client: PoolClient, statement: string): Promise<Counts> {
  const { rows } = await client.query(statement);
  return rows[0] as Counts;
}

/** The tables of keys, each after those that it refers to. */
const KEY_TABLES = ["master_key", "subject_key", "service_key"] as const;

/** Keeps others from writing, or from taking a lock in order to write. Readers are not blocked. */
const LOCK_TABLES =
  "lock table keys.master_key, keys.subject_key, keys.service_key in exclusive mode";

const DROP_SCHEMA = "drop schema keys cascade";

/** Temporary tables for the incoming keys, beside those that are there. */
const STAGE_TABLES = Object.fromEntries(
  KEY_TABLES.map((table) => [
    table,
    `create temporary table ${table} (like keys.${table}) on commit drop`,
  ]),
) as Readonly<Record<(typeof KEY_TABLES)[number], string>>;

/** A store without any keys also takes over the versions of the master key. */
const FORGET_UNUSED_MASTER = `
  delete from keys.master_key
  where exists (select 1 from pg_temp.master_key)
    and not exists (select 1 from keys.subject_key) and not exists (select 1 from keys.service_key)`;

/** Keys that differ between the two sides: both in their time and in their wrapping, which a rotation changes. */
const CONFLICTS = `
  select 'version ' || version || ' of the master key' as name
  from pg_temp.master_key s join keys.master_key k using (version)
  where s.check_box <> k.check_box
  union all
  select subject from pg_temp.subject_key s join keys.subject_key k using (subject)
  where s.wrapped <> k.wrapped and s.created_at is distinct from k.created_at
  union all
  select name || ' (services)' from pg_temp.service_key s join keys.service_key k using (name, version)
  where s.wrapped <> k.wrapped and s.created_at <> k.created_at`;

/**
 * A key that exists on both sides stays wrapped as it is here. It ends at the earlier of both ends,
 * and if either side destroyed it, it is destroyed. Replaced service keys are removed after their
 * end: an earlier version than those here has been removed and does not come back.
 */
const MERGE: readonly string[] = [
  `update keys.master_key k set superseded_at = s.superseded_at
   from pg_temp.master_key s where s.version = k.version and k.superseded_at is null`,
  `insert into keys.master_key select * from pg_temp.master_key s
   where s.version > (select coalesce(max(version), 0) from keys.master_key)`,
  `insert into keys.subject_key as k select * from pg_temp.subject_key
   on conflict (subject) do update set
     owner = coalesce(k.owner, excluded.owner),
     wrapped = case when excluded.destroyed_at is null then k.wrapped end,
     key_version = case when excluded.destroyed_at is null then k.key_version end,
     created_at = coalesce(k.created_at, excluded.created_at),
     ensured_at = greatest(k.ensured_at, excluded.ensured_at),
     used = k.used or excluded.used,
     destroyed_at = least(k.destroyed_at, excluded.destroyed_at)`,
  `insert into keys.service_key as k select * from pg_temp.service_key s
   where exists (select 1 from keys.service_key t where t.name = s.name and t.version = s.version)
     or s.version > (select coalesce(max(version), 0) from keys.service_key t where t.name = s.name)
   on conflict (name, version) do update set ends_at = least(k.ends_at, excluded.ends_at)`,
];

/** How many keys the old tables hold. */
const EXPECTED = `
  select (select count(*)::int from keys.subject_key) as "subjectKeys",
    (select count(*)::int from keys.service_key) as "serviceKeys"`;

/** How many of these keys the new tables hold: unchanged, wrapped again, or destroyed. */
const COUNTED = `
  select count(*)::int as "subjectKeys",
    count(*) filter (where k.destroyed_at is not null)::int as destroyed,
    (select count(*)::int from pg_temp.service_key s where exists (
       select 1 from keys.service_key t where t.name = s.name and
         (t.version > s.version or t.version = s.version and t.created_at = s.created_at)
     )) as "serviceKeys"
  from pg_temp.subject_key s join keys.subject_key k using (subject)
  where (k.destroyed_at is not null)
    or (s.destroyed_at is null and (k.wrapped = s.wrapped or k.created_at = s.created_at))`;
