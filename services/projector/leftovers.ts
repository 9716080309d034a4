import type pg from "pg";
import { withLock } from "#runtime/db/lock.ts";
import type { Projection } from "./daemon/projection.ts";
import { rebuildLock } from "./rebuild.ts";

interface Database {
  readonly url: string;
  readonly pool: pg.Pool;
}

/**
 * Drops tables that an interrupted rebuild left behind, because deletions are not applied to them.
 * Tables of a running rebuild are kept.
 * @returns names of the dropped schemas.
 */
export async function dropLeftovers(
  database: Database,
  projections: readonly Projection[],
): Promise<string[]> {
  const dropped: string[] = [];
  for (const { name, schemas } of projections) {
    const left = await leftovers(database.pool, schemas);
    if (left.length === 0) continue;
    await whileNoRebuild(database.url, name, async (client) => {
      for (const schema of await leftovers(client, schemas)) {
        await client.query(`drop schema if exists ${schema} cascade`);
        dropped.push(schema);
      }
    });
  }
  return dropped;
}

/**
 * Likewise drops what an interrupted rebuild left outside the database.
 * @returns the names of what was dropped.
 */
export async function dropOutsideLeftovers(
  database: Database,
  projections: readonly Projection[],
): Promise<string[]> {
  const dropped: string[] = [];
  for (const { name, outside } of projections) {
    if (!outside || (await outside.find(database.pool)).length === 0) continue;
    await whileNoRebuild(database.url, name, async (client) => {
      const left = await outside.find(client);
      await outside.drop(left);
      dropped.push(...left);
    });
  }
  return dropped;
}

async function whileNoRebuild(
  url: string,
  name: Projection["name"],
  work: (client: pg.ClientBase) => Promise<void>,
): Promise<void> {
  // A drop takes as long as it needs.
  const connection = { url, name: "projector leftovers", statementMs: "unlimited" } as const;
  await withLock(connection, rebuildLock(name), work);
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
