import type pg from "pg";
import type { Projection } from "./daemon/projection.ts";
import { rebuildLock } from "./rebuild.ts";

/**
 * Drops the tables that a rebuild left behind when it was cut off: nobody follows deletions in
 * them. Tables of a rebuild that runs are left alone.
 * @returns names of the schemas that were dropped.
 */
export async function dropLeftovers(
  pool: pg.Pool,
  projections: readonly Projection[],
): Promise<string[]> {
  const dropped: string[] = [];
  for (const { name, schemas } of projections) {
    const left = await leftovers(pool, schemas);
    if (left.length === 0) continue;
    const client = await pool.connect();
    try {
      const { rows } = await client.query<{ locked: boolean }>(
        "select pg_try_advisory_lock(hashtextextended($1, 0)) as locked",
        [rebuildLock(name)],
      );
      if (!rows[0]?.locked) continue;
      for (const schema of await leftovers(client, schemas)) {
        await client.query(`drop schema if exists ${schema} cascade`);
        dropped.push(schema);
      }
    } finally {
      // With the connection goes the lock.
      client.release(true);
    }
  }
  return dropped;
}

async function leftovers(
  sql: Pick<pg.ClientBase, "query">,
  schemas: readonly string[],
): Promise<string[]> {
  const names = schemas.flatMap((schema) => [`${schema}_next`, `${schema}_old`]);
  const { rows } = await sql.query<{ nspname: string }>(
    "select nspname from pg_namespace where nspname = any($1)",
    [names],
  );
  return rows.map((row) => row.nspname);
}
