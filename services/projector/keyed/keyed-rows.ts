import type pg from "pg";
import type { Batch } from "../daemon/projection.ts";
import { type Changes, foldRows, happenedIn, type Step } from "./fold-rows.ts";
import type { WriterOptions } from "./projected-schema.ts";
import type { EventType, ReadModel } from "./read-model.ts";
import { type RowTable, writeRows } from "./row-writes.ts";

/** The rows of a read model in the schema of the given name. */
export class KeyedRows<Row extends object, Type extends EventType> {
  readonly #model: ReadModel<Row, Type>;
  readonly #table: RowTable;
  readonly #key: keyof Row & string;
  readonly #bulk: boolean;

  constructor(model: ReadModel<Row, Type>, schema: string, { bulk = false }: WriterOptions) {
    this.#model = model;
    this.#table = { ...model.table, name: `${schema}.${model.table.name}` };
    this.#key = model.table.columns[0] as keyof Row & string;
    this.#bulk = bulk;
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

  /** Writes the changes to the table in a few statements. */
  async write(client: pg.ClientBase, { loaded, changed, removed }: Changes<Row>): Promise<void> {
    if (removed.size > 0)
      await client.query(`delete from ${this.#table.name} where ${this.#key} = any($1)`, [
        [...removed],
      ]);
    const isNew = (row: Row) => this.#bulk && !loaded.has(row[this.#key] as string);
    await writeRows(client, this.#table, [...changed.values()], isNew);
  }

  async #load(client: pg.ClientBase, keys: readonly string[]): Promise<Map<string, Row>> {
    if (keys.length === 0) return new Map();
    const { rows } = await client.query<{ row: Row }>(
      `select to_json(r) as row from ${this.#table.name} r where ${this.#key} = any($1)`,
      [keys],
    );
    return new Map(rows.map(({ row }) => [row[this.#key] as string, row]));
  }
}
