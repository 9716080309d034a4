import type pg from "pg";
import { lockUntilCommit } from "#runtime/db/lock.ts";
import { CREATE_TRIGRAMS, vacuumSoon } from "#runtime/db/migrate.ts";
import { MATCHING_VERSION } from "../matching.ts";

/** Columns that name someone and are not used to plan searches, so they need no statistics. */
const NAMING_COLUMNS = ["first_name", "last_name", "title", "description", "city"];

/** @throws {TypeError} if the name is not a plain lower-case identifier: it becomes part of statements. */
export function checkedSchemaName(name: string): string {
  if (!/^[a-z][a-z0-9_]{0,40}$/.test(name)) throw new TypeError(`not a schema name: ${name}`);
  return name;
}

/** Tables and indexes that {@link createTables} and {@link createIndexes} create. */
const RELATIONS = [
  "documents",
  "tombstones",
  "meta",
  "documents_text",
  "documents_name",
  "documents_terms",
  "documents_newest",
  "documents_amount",
  "documents_state",
  "documents_country",
];

/** Whether nothing is left to create. Reads only the catalog, which every role may read. */
export async function isInstalled(sql: Pick<pg.Pool, "query">, schema: string): Promise<boolean> {
  const { rows } = await sql.query<{
    relations: number;
    without_statistics: number;
    vacuumed: boolean;
  }>(
    `select count(*)::int as relations,
       bool_or(c.relname = 'documents' and 'autovacuum_vacuum_threshold=0' = any(c.reloptions))
         as vacuumed,
       (select count(*)::int from pg_attribute a join pg_class t on t.oid = a.attrelid
        join pg_namespace s on s.oid = t.relnamespace
        where s.nspname = $1 and t.relname = 'documents' and a.attname = any($3)
          and a.attstattarget = 0) as without_statistics
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relname = any($2)`,
    [schema, RELATIONS, NAMING_COLUMNS],
  );
  const [found] = rows;
  return (
    found?.relations === RELATIONS.length &&
    found.without_statistics === NAMING_COLUMNS.length &&
    found.vacuumed
  );
}

/** Takes the installation lock until the end of the transaction. */
export async function lockInstall(client: pg.ClientBase): Promise<void> {
  await lockUntilCommit(client, "install:search");
}

/** Creates the schema with its tables and their primary keys, where missing. */
export async function createTables(client: pg.ClientBase, schema: string): Promise<void> {
  await client.query(`
    ${CREATE_TRIGRAMS}
    create schema if not exists ${schema};
    create table if not exists ${schema}.documents (
      id text collate "C" primary key,
      position text collate "C" not null,
      first_name text not null,
      last_name text not null,
      title text not null,
      description text not null,
      city text not null,
      state text not null,
      country text not null,
      amount_cents bigint not null,
      reasons text[] not null,
      submitted_ms bigint not null,
      name_text text collate "C" not null,
      search_text text collate "C" not null,
      terms tsvector not null
    );
    create table if not exists ${schema}.tombstones (
      id text collate "C" primary key,
      position text collate "C" not null
    );
    create table if not exists ${schema}.meta (
      one boolean primary key default true check (one),
      position text collate "C",
      matching_version integer not null
    );`);
  // Statistics must not hold names, because an erasure would not reach them.
  const withoutStatistics = NAMING_COLUMNS.map((name) => `alter column ${name} set statistics 0`);
  await client.query(`alter table ${schema}.documents ${withoutStatistics.join(", ")}`);
  await client.query(vacuumSoon(`${schema}.documents`));
  await client.query(
    `insert into ${schema}.meta (matching_version) values ($1) on conflict do nothing`,
    [MATCHING_VERSION],
  );
}

/** Creates what searches need besides the primary keys. A rebuild does this last. */
export async function createIndexes(client: pg.ClientBase, schema: string): Promise<void> {
  await client.query(`
    create index if not exists documents_text on ${schema}.documents
      using gin (search_text public.gin_trgm_ops);
    create index if not exists documents_name on ${schema}.documents
      using gin (name_text public.gin_trgm_ops);
    create index if not exists documents_terms on ${schema}.documents using gin (terms, reasons);
    create index if not exists documents_newest on ${schema}.documents (submitted_ms, id);
    create index if not exists documents_amount on ${schema}.documents
      (amount_cents, submitted_ms, id);
    create index if not exists documents_state on ${schema}.documents (state, submitted_ms, id);
    create index if not exists documents_country on ${schema}.documents
      (country, submitted_ms, id);`);
}

export async function dropSchema(client: pg.ClientBase, schema: string): Promise<void> {
  await client.query(`drop schema if exists ${schema} cascade`);
}
