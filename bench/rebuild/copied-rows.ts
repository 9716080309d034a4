import { createReadStream, createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { openPool } from "#runtime/db/pool.ts";

/** Schema for the copies. */
const COPIES = "bench_copies";

interface Table {
  readonly schema: string;
  /** Quoted where it has to be. */
  readonly name: string;
  /** Quoted names of the columns of the primary key. */
  readonly key: readonly string[];
}

/**
 * Writes all rows of the schemas to files, then loads them by COPY into empty tables with the same
 * columns and primary keys. All tables are loaded at the same time, as in a rebuild.
 * @param folder for the rows meanwhile.
 * @returns milliseconds that the loading took.
 */
export async function copyRows(
  url: string,
  schemas: readonly string[],
  folder: string,
): Promise<number> {
  const pool = openPool({ url, name: "bench", max: 12, statementMs: "unlimited" });
  try {
    const tables = await tablesOf(pool, schemas);
    await mkdir(folder, { recursive: true });
    await pool.query(`drop schema if exists ${COPIES} cascade; create schema ${COPIES}`);
    for (const table of tables) {
      await pool.query(`create table ${copyOf(table)} (like ${nameOf(table)} including defaults)`);
      if (table.key.length > 0)
        await pool.query(`alter table ${copyOf(table)} add primary key (${table.key.join(", ")})`);
      await withClient(pool, (client) =>
        pipeline(
          client.query(copyTo(`copy ${nameOf(table)} to stdout`)),
          createWriteStream(fileOf(folder, table)),
        ),
      );
    }
    const start = performance.now();
    await Promise.all(
      tables.map((table) =>
        withClient(pool, (client) =>
          pipeline(
            createReadStream(fileOf(folder, table)),
            client.query(copyFrom(`copy ${copyOf(table)} from stdin`)),
          ),
        ),
      ),
    );
    const ms = performance.now() - start;
    await pool.query(`drop schema ${COPIES} cascade`);
    return ms;
  } finally {
    await pool.end();
  }
}

async function tablesOf(pool: pg.Pool, schemas: readonly string[]): Promise<Table[]> {
  const { rows } = await pool.query<Table>(
    `select n.nspname as schema, quote_ident(c.relname) as name,
       coalesce(array(
         select quote_ident(a.attname) from pg_index i
         cross join unnest(i.indkey) with ordinality as k (number, place)
         join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
         where i.indrelid = c.oid and i.indisprimary order by k.place
       ), '{}') as key
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and c.relkind = 'r' order by 1, 2`,
    [schemas],
  );
  return rows;
}

async function withClient(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  try {
    await work(client);
  } finally {
    client.release();
  }
}

function nameOf({ schema, name }: Table): string {
  return `${schema}.${name}`;
}

function copyOf({ schema, name }: Table): string {
  // A name that is a word of SQL comes quoted.
  return `${COPIES}."${schema}_${name.replaceAll('"', "")}"`;
}

function fileOf(folder: string, { schema, name }: Table): string {
  return path.join(folder, `${schema}.${name}.copy`);
}
