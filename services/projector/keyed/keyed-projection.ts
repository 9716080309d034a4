import type pg from "pg";
import type { RegistryEvent } from "#contracts/events/index.ts";
import type { StoredEvent } from "#event-store/port.ts";
import type { ProjectedSchema } from "#read-model/install.ts";
import type { Batch, Projection } from "../daemon/projection.ts";
import {
  areEmpty,
  type EventType,
  handledKey,
  isOfEarlierVersion,
  outdatedSchema,
  type ReadModel,
  rebuildSchema,
  type WriterOf,
  type WriterOptions,
} from "./read-model.ts";
import { type RowTable, writeRows } from "./row-writes.ts";
import {
  type Changes,
  differencesOf,
  foldRows,
  happenedIn,
  type Step,
  writeDifferences,
} from "./tallies.ts";

type Apply = (client: pg.ClientBase, batch: Batch) => Promise<void>;

/** A projection whose tables are read models in one schema, plus anything written with them. */
export interface KeyedProjection extends Pick<Projection, "name" | "filter" | "opens"> {
  readonly schema: ProjectedSchema;
  // biome-ignore lint/suspicious/noExplicitAny: rows of any kind.
  readonly models: readonly ReadModel<any, any>[];
  /** Events whose rows are removed even if their stream is parked. Their data is not opened. */
  readonly erasedBy: readonly EventType[];
  /** Writes the rows and anything that goes with them; only the rows when absent. */
  readonly writesInto?: (schema: string, options: WriterOptions) => Apply;
}

/** Creates the projection that maintains the rows of its read models. */
export function keyedProjection(parts: KeyedProjection): Projection {
  const { name, filter, opens, schema, models } = parts;
  const writerOf = keyedWriterOf(parts);
  return {
    ...writerOf(schema.name, {}),
    name,
    filter,
    opens,
    repeatable: true,
    keysOf: (event) => models.flatMap((model) => subjectsOf(parts, model, event)),
    isEmpty: (client) =>
      areEmpty(
        client,
        models.map(({ table }) => `${schema.name}.${table.name}`),
      ),
    isOfEarlierVersion: (sql) => isOfEarlierVersion(sql, schema),
    outdated: (client) => outdatedSchema(client, schema),
    schemas: [schema.name],
    rebuild: (pool) => rebuildSchema(pool, schema, writerOf),
  };
}

export function keyedWriterOf({ models, erasedBy, writesInto }: KeyedProjection): WriterOf {
  const rowsAlone = (into: string, options: WriterOptions): Apply => {
    const tables = models.map((model) => new KeyedRows(model, into, options));
    return async (client, batch) => {
      for (const rows of tables) await rows.apply(client, batch);
    };
  };
  return (into, options) => {
    const apply = (writesInto ?? rowsAlone)(into, options);
    return {
      apply,
      async erase(client, stored, epoch) {
        if (!(erasedBy as readonly string[]).includes(stored.type)) return;
        const { type, data, position } = stored;
        const events = [{ stored, event: { type, data } as RegistryEvent }];
        await apply(client, { events, keys: new Map(), position, epoch });
      },
    };
  };
}

/** Returns the subjects of the keys for the sealed columns in the event's row, if any are read. */
function subjectsOf<Row extends object, Type extends EventType>(
  { erasedBy }: KeyedProjection,
  model: ReadModel<Row, Type>,
  event: StoredEvent,
): string[] {
  if (!model.subjectOf || (erasedBy as readonly string[]).includes(event.type)) return [];
  const key = handledKey(model, event);
  return key === undefined ? [] : [model.subjectOf(key)];
}

/** A read model's rows in the schema with the given name. */
export class KeyedRows<Row extends object, Type extends EventType> {
  readonly #model: ReadModel<Row, Type>;
  readonly #schema: string;
  readonly #table: RowTable;
  readonly #aside: RowTable | undefined;
  readonly #key: keyof Row & string;
  readonly #bulk: boolean;

  constructor(model: ReadModel<Row, Type>, schema: string, { bulk = false }: WriterOptions) {
    this.#model = model;
    this.#schema = schema;
    const { aside, ...table } = model.table;
    this.#table = { ...table, name: `${schema}.${table.name}` };
    this.#aside = aside && { ...table, name: `${schema}.${aside.name}` };
    this.#key = table.key;
    this.#bulk = bulk;
  }

  /** Folds the batch over its rows, and writes them and what they count for. */
  async apply(client: pg.ClientBase, batch: Batch): Promise<Changes<Row>> {
    const changes = await this.fold(client, batch);
    await this.write(client, changes);
    const { figuresOf } = this.#model;
    if (figuresOf) await writeDifferences(client, this.#schema, differencesOf(changes, figuresOf));
    return changes;
  }

  /** Loads the rows that the batch affects and folds it over them; see {@link foldRows}. */
  async fold(
    client: pg.ClientBase,
    batch: Batch,
    onStep?: (step: Step<Row>) => void,
  ): Promise<Changes<Row>> {
    const { begins = ({ revision }) => revision === 0 } = this.#model;
    const happened = happenedIn(this.#model, batch);
    const wanted = new Set<string>();
    const begun = new Set<string>();
    for (const { key, stored } of happened) {
      if (begins(stored)) begun.add(key);
      else if (!begun.has(key)) wanted.add(key);
    }
    return foldRows(this.#model, await this.#load(client, [...wanted]), happened, onStep);
  }

  /** Writes the changes in a few statements. A row moves to the table where it now belongs. */
  async write(client: pg.ClientBase, changes: Changes<Row>): Promise<void> {
    const isAside = (row: Row | undefined) =>
      row !== undefined && this.#model.table.aside?.holds(row) === true;
    const rows = [...changes.changed.values()];
    await this.#writeInto(this.#table, false, client, changes, rows, isAside);
    if (this.#aside) await this.#writeInto(this.#aside, true, client, changes, rows, isAside);
  }

  async #writeInto(
    table: RowTable,
    isTheAside: boolean,
    client: pg.ClientBase,
    { loaded, removed }: Changes<Row>,
    rows: readonly Row[],
    isAside: (row: Row | undefined) => boolean,
  ): Promise<void> {
    const keyOf = (row: Row) => row[this.#key] as string;
    const here = rows.filter((row) => isAside(row) === isTheAside);
    const elsewhere = rows.filter((row) => isAside(row) !== isTheAside).map(keyOf);
    // The table of a row that is not loaded is unknown, unless no one else writes.
    const mayHave = (key: string) =>
      loaded.has(key) ? isAside(loaded.get(key)) === isTheAside : !this.#bulk;
    const gone = [...removed, ...elsewhere].filter(mayHave);
    if (gone.length > 0)
      await client.query(`delete from ${table.name} where ${this.#key} = any($1)`, [gone]);
    await writeRows(client, table, here, (row) => this.#bulk && !loaded.has(keyOf(row)));
  }

  async #load(client: pg.ClientBase, keys: readonly string[]): Promise<Map<string, Row>> {
    if (keys.length === 0) return new Map();
    const select = ({ name }: RowTable) =>
      `select to_json(r) as row from ${name} r where ${this.#key} = any($1)`;
    const tables = this.#aside ? [this.#table, this.#aside] : [this.#table];
    const text = tables.map(select).join(" union all ");
    const { rows } = await client.query<{ row: Row }>(text, [keys]);
    return new Map(rows.map(({ row }) => [row[this.#key] as string, row]));
  }
}
