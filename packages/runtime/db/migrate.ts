import { createHash } from "node:crypto";
import type pg from "pg";
import type { Pool, PoolClient } from "pg";
import { CannotStart, RUN_MIGRATE } from "../lifecycle/explain-failure.ts";
import { lockUntilCommit } from "./lock.ts";
import { DatabaseClient } from "./pool.ts";

/** One step of a schema's history. A released step never changes; a change needs a new step. */
export interface Migration {
  /** Sorts in order of application, such as `2026-11-21-slugs`. */
  readonly id: string;
  /** DDL. Unqualified names refer to the schema being migrated. */
  readonly sql: string;
}

/** A newer version of the software migrated the database, or someone edited a released step. */
export class SchemaMismatch extends Error {
  override readonly name = "SchemaMismatch";
}

const NAME = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * Brings `schema` (created if absent) up to the last step of `list`, in one transaction under an
 * advisory lock, so that any number of processes may call it concurrently. It has no time limit. If
 * nothing is missing, it only reads the schema's table `migration`.
 * @returns IDs of the steps this call applied.
 * @throws {SchemaMismatch} nothing was changed.
 * @throws {CannotStart} if steps are missing and the role may not apply them, or if the database is
 * not in UTF8.
 */
export async function applyMigrations(
  pool: Pool,
  schema: string,
  list: readonly Migration[],
): Promise<string[]> {
  if (!NAME.test(schema)) throw new TypeError(`not a schema name: ${schema}`);
  list.forEach((step, index) => {
    const previous = list[index - 1];
    if (previous && previous.id >= step.id)
      throw new TypeError(`migrations of ${schema} are not in order at ${step.id}`);
  });
  if ((await missingSteps(pool, schema, list)).length === 0) return [];
  const apply = (client: PoolClient) => applyAll(client, schema, list);
  return orRunMigrate(inTransaction(pool, apply, { isLong: true }));
}

/** SQLSTATEs for a table or schema that doesn't exist or that the role may not read. */
const UNREADABLE = new Set(["42P01", "3F000", "42501"]);

/** @throws {SchemaMismatch} */
async function missingSteps(
  sql: Pick<Pool, "query">,
  schema: string,
  list: readonly Migration[],
): Promise<Migration[]> {
  let applied: { id: string; checksum: string }[] = [];
  try {
    const found = await sql.query<{ id: string; checksum: string }>(
      `select id, checksum from "${schema}".migration`,
    );
    applied = found.rows;
  } catch (error) {
    if (!UNREADABLE.has(sqlStateOf(error))) throw error;
  }
  const done = new Map(applied.map((row) => [row.id, row.checksum]));
  const listed = new Set(list.map((step) => step.id));
  for (const id of done.keys())
    if (!listed.has(id))
      throw new SchemaMismatch(
        `the schema "${schema}" of the database is of a newer version (it has ${id})`,
      );
  for (const step of list)
    if (done.has(step.id) && done.get(step.id) !== checksumOf(step))
      throw new SchemaMismatch(
        `the schema "${schema}" of the database was made by another text of ${step.id}`,
      );
  return list.filter((step) => !done.has(step.id));
}

function checksumOf({ sql }: Migration): string {
  return createHash("sha256").update(sql).digest("hex");
}

async function refuseOtherEncodings(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>(
    "select current_setting('server_encoding') as encoding",
  );
  const encoding = rows[0]?.encoding;
  if (encoding !== "UTF8")
    throw new CannotStart(
      `A database has the encoding ${encoding} but must use UTF8: create it with "encoding 'UTF8' template template0".`,
    );
}

async function applyAll(
  client: PoolClient,
  schema: string,
  list: readonly Migration[],
): Promise<string[]> {
  await refuseOtherEncodings(client);
  await lockUntilCommit(client, `migrate:${schema}`);
  const there = await client.query("select 1 from pg_namespace where nspname = $1", [schema]);
  if (there.rowCount === 0) await client.query(`create schema "${schema}"`);
  await client.query(`set local search_path to "${schema}", public`);
  await client.query(`create table if not exists "${schema}".migration (
    id text primary key,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`);
  const missing = await missingSteps(client, schema, list);
  for (const step of missing) {
    await client.query(step.sql);
    await client.query(`insert into "${schema}".migration (id, checksum) values ($1, $2)`, [
      step.id,
      checksumOf(step),
    ]);
  }
  return missing.map(({ id }) => id);
}

/** An error's SQLSTATE; empty if it has none. */
function sqlStateOf(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code ?? "");
}

/**
 * Wraps work that creates missing database objects.
 * @throws {CannotStart} asking for `npm run migrate` if the role may not.
 */
export async function orRunMigrate<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (sqlStateOf(error) !== "42501") throw error;
    throw new CannotStart(RUN_MIGRATE, { cause: error });
  }
}

interface TransactionOptions {
  /** Statement that starts the transaction and may set parameters; `begin` by default. */
  readonly begin?: string;
  /** Whether statements have no time limit: for migrations and indexes. */
  readonly isLong?: boolean;
}

/** Runs the work in one transaction on one of the pool's connections. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  { begin = "begin", isLong = false }: TransactionOptions = {},
): Promise<T> {
  const client = await pool.connect();
  // A connection without limits (after a long transaction) or a broken one is not reused.
  let isSpent = isLong;
  try {
    if (isLong && client instanceof DatabaseClient) await client.liftLimits();
    await client.query(begin);
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => {
      isSpent = true;
    });
    throw error;
  } finally {
    client.release(isSpent);
  }
}

/** DDL that creates the trigram extension, in the transaction of tables that need it. */
export const CREATE_TRIGRAMS = `
  do $$ begin
    if not exists (select from pg_extension where extname = 'pg_trgm') then
      perform pg_advisory_xact_lock(hashtextextended('install:pg_trgm', 0));
      create extension if not exists pg_trgm schema public;
    end if;
  end $$;`;

/** DDL that makes autovacuum remove deleted rows on its next run, however small their share of the table. */
export function vacuumSoon(table: string): string {
  return `alter table ${table} set
    (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0);`;
}
