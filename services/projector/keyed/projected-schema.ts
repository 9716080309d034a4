import type pg from "pg";
import type { StoredEvent } from "#event-store/port.ts";
import { layoutOf, makeSchema, type ProjectedSchema } from "#read-model/install.ts";
import { inTransaction } from "#runtime/db/migrate.ts";
import { newerVersion } from "../daemon/errors.ts";
import type { Batch, ProjectionRebuild, ProjectionWriter } from "../daemon/projection.ts";

export interface WriterOptions {
  /**
   * Whether the tables started empty and nobody else writes them, so that rows that were not loaded
   * are new.
   */
  readonly bulk?: boolean;
}

/** Creates a writer into the tables of the schema with this name. */
export type WriterOf = (schema: string, options: WriterOptions) => ProjectionWriter;

/** Whether an earlier version of the software created the live schema. */
export async function isOfEarlierVersion(
  sql: Pick<pg.ClientBase, "query">,
  schema: ProjectedSchema,
): Promise<boolean> {
  const layout = await layoutOf(sql, schema.name);
  return layout !== undefined && layout < schema.layout;
}

/**
 * Why a live schema cannot be resumed, with the remedy; undefined when its layout matches.
 * @throws {ProcessorStopped} `newer_version`: the schema is left to the version that created it.
 */
export async function outdatedSchema(
  client: pg.ClientBase,
  schema: ProjectedSchema,
): Promise<string | undefined> {
  const layout = await layoutOf(client, schema.name);
  if (layout === schema.layout) return undefined;
  if (layout !== undefined && layout > schema.layout)
    throw newerVersion(`the schema "${schema.name}" has layout ${layout}`);
  const found = layout === undefined ? "no layout" : `layout ${layout}`;
  return `the schema "${schema.name}" has ${found} instead of layout ${schema.layout}`;
}

/** Drops what an interrupted rebuild left behind. The caller ensures that no rebuild runs. */
export async function dropLeftovers(client: pg.ClientBase, schema: string): Promise<void> {
  await client.query(`drop schema if exists ${schema}_next cascade`);
  await client.query(`drop schema if exists ${schema}_old cascade`);
}

/** Starts to fill `<schema>_next`, which at first has only primary keys. */
export async function rebuildSchema(
  pool: pg.Pool,
  schema: ProjectedSchema,
  writerOf: WriterOf,
): Promise<ProjectionRebuild> {
  const { name } = schema;
  const next = `${name}_next`;
  const writer = writerOf(next, { bulk: true });
  await inTransaction(pool, async (client) => {
    await dropLeftovers(client, name);
    await makeSchema(client, schema, next);
  });
  return {
    apply: (client: pg.ClientBase, batch: Batch) => writer.apply(client, batch),
    erase: (client: pg.ClientBase, event: StoredEvent, epoch: string) =>
      writer.erase(client, event, epoch),
    async prepare(client) {
      await client.query(schema.createIndexes(next));
      const { rows } = await client.query<{ name: string }>(
        "select quote_ident(tablename) as name from pg_tables where schemaname = $1",
        [next],
      );
      for (const table of rows) await client.query(`analyze ${next}.${table.name}`);
    },
    async swap(client) {
      await client.query(`alter schema ${name} rename to ${name}_old`);
      await client.query(`alter schema ${next} rename to ${name}`);
    },
    async discardOld() {
      await pool.query(`drop schema if exists ${name}_old cascade`);
    },
    async abort() {
      await pool.query(`drop schema if exists ${next} cascade`);
    },
  };
}

/** Whether all of the tables are empty. */
export async function areEmpty(client: pg.ClientBase, tables: readonly string[]): Promise<boolean> {
  const parts = tables.map((table) => `exists (select from ${table})`);
  const { rows } = await client.query<{ filled: boolean }>(
    `select ${parts.join(" or ")} as filled`,
  );
  return rows[0]?.filled === false;
}
