import type pg from "pg";
import type { RegistryEvent } from "#contracts/events/index.ts";
import type { Sealed } from "#contracts/sealed.ts";
import type { EventJson, StoredEvent } from "#event-store/port.ts";
import { layoutOf, makeSchema, type ProjectedSchema } from "#read-model/install.ts";
import { inTransaction } from "#runtime/db/migrate.ts";
import { type KeyLookups, KeyMissing } from "#vault/sealing/event-codec.ts";
import { openColumn, sealColumn } from "#vault/sealing/seal.ts";
import { newerVersion } from "../daemon/errors.ts";
import type { Batch, ProjectionRebuild, ProjectionWriter } from "../daemon/projection.ts";
import type { Count } from "./tallies.ts";

export type EventType = RegistryEvent["type"];

/** A table of a projected schema. */
export interface KeyedTable<Row extends object> {
  /** Name without the schema, which is named differently during a rebuild. */
  readonly name: string;
  /** The primary key's column. */
  readonly key: keyof Row & string;
  /** Columns of type `text[]`. A list in any other column is JSON. */
  readonly lists?: readonly (keyof Row & string)[];
  /** A second table, for rows that readers of the first one must not find. */
  readonly aside?: Aside<Row>;
}

/** A second table with the same key. */
interface Aside<Row extends object> {
  readonly name: string;
  holds(row: Row): boolean;
}

/** An event that may change a row. */
export interface Happened<Type extends EventType = EventType> {
  readonly key: string;
  readonly event: Extract<RegistryEvent, { type: Type }>;
  readonly stored: StoredEvent;
  /** For sealed columns. */
  readonly keys: KeyLookups;
}

/** Rows of one table, each folded from the events with its key. */
export interface ReadModel<Row extends object, Type extends EventType = EventType> {
  readonly table: KeyedTable<Row>;
  /** Events that may change a row; all when undefined. Other events load no row. */
  readonly handles: readonly Type[] | undefined;
  /** Returns the key of the row that the event is about; undefined if there is none. */
  keyOf(event: StoredEvent): string | undefined;
  /** Whether the key cannot have a row yet; when absent, this holds for the first event of a stream. */
  begins?(event: StoredEvent): boolean;
  /** Subject of the key for the row's sealed columns. */
  subjectOf?(key: string): string;
  /** Returns the row after the event: the same object if unchanged, undefined for none. It never mutates. */
  evolve(row: Readonly<Row> | undefined, happened: Happened<Type>): Row | undefined;
  /** Returns what a row adds to the tallies; it depends on the row alone. */
  figuresOf?(row: Row): Iterable<Count>;
}

/** Returns the key of the row that the event may change; undefined if it changes none. */
export function handledKey<Row extends object, Type extends EventType>(
  { handles, keyOf }: ReadModel<Row, Type>,
  event: StoredEvent,
): string | undefined {
  if (handles && !(handles as readonly string[]).includes(event.type)) return undefined;
  return keyOf(event);
}

export interface WriterOptions {
  /** Whether the tables started empty and no one else writes them, so that rows that were not loaded are new. */
  readonly bulk?: boolean;
}

/** Creates a writer for the tables of the schema with this name. */
export type WriterOf = (schema: string, options: WriterOptions) => ProjectionWriter;

/** Whether an earlier version of the software created the live schema. */
export async function isOfEarlierVersion(
  sql: Pick<pg.ClientBase, "query">,
  schema: ProjectedSchema,
): Promise<boolean> {
  const layout = await layoutOf(sql, schema.name);
  return layout !== undefined && layout < schema.layout;
}

/** Returns why a schema can't be resumed; undefined if it can. @throws {ProcessorStopped} `newer_version` */
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

/** Drops an interrupted rebuild's leftovers. The caller ensures that no rebuild is running. */
async function dropLeftovers(client: pg.ClientBase, schema: string): Promise<void> {
  await client.query(`drop schema if exists ${schema}_next cascade`);
  await client.query(`drop schema if exists ${schema}_old cascade`);
}

/** Starts filling `<schema>_next`, which at first has only primary keys. */
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

/** A column whose values are sealed, each under the key of a subject. */
interface SealedCell<T> {
  /** @returns undefined once the key is destroyed. */
  seal(rowId: string, value: T, keys: KeyLookups): Sealed | undefined;
  /** @returns undefined once the key is destroyed. @throws {KeyMissing} @throws {SealBroken} */
  open(rowId: string, sealed: Sealed, keys: KeyLookups): T | undefined;
}

/**
 * Caches what it sealed or opened while the row is in memory. @param table its name. @param subjectOf the key's
 * subject.
 */
export function sealedCell<T extends object>(
  table: string,
  column: string,
  subjectOf: (rowId: string) => string,
): SealedCell<T> {
  const opened = new WeakMap<Sealed, T>();
  return {
    seal(rowId, value, keys) {
      const subject = subjectOf(rowId);
      const key = keyOf(subject, keys);
      if (!key) return undefined;
      const sealed = sealColumn(key, value as EventJson, { table, column, rowId, key: subject });
      opened.set(sealed, value);
      return sealed;
    },
    open(rowId, sealed, keys) {
      const key = keyOf(sealed.key, keys);
      if (!key) return undefined;
      const value = opened.get(sealed) ?? (openColumn(key, sealed, { table, column, rowId }) as T);
      opened.set(sealed, value);
      return value;
    },
  };
}

function keyOf(subject: string, keys: KeyLookups): Buffer | undefined {
  const found = keys.get(subject);
  if (found?.state === "present") return found.key;
  if (found?.state === "destroyed") return undefined;
  throw new KeyMissing(subject);
}
