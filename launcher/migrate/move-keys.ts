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
import {
  CONFLICTS,
  COUNTED,
  DROP_SCHEMA,
  EXPECTED,
  FORGET_UNUSED_MASTER,
  KEY_TABLES,
  LOCK_TABLES,
  MERGE,
  STAGE_TABLES,
} from "./move-keys.sql.ts";

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
