import type pg from "pg";
import type { KeptSchema } from "#launcher/migrate/backed-up.ts";
import { applyMigrations } from "#runtime/db/migrate.ts";
import { openPool } from "#runtime/db/pool.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import type { Manifest } from "./archive/manifest.ts";
import { addRows, partOfTable } from "./tables.ts";

/**
 * Restores tables: creates them as they were when the archive was made, adds the rows, and then brings
 * them up to this version.
 */
export class TableRestore {
  readonly #pool: pg.Pool;
  readonly #client: pg.PoolClient;
  readonly #schemas: readonly KeptSchema[];
  readonly #manifest: Manifest;

  private constructor(
    pool: pg.Pool,
    client: pg.PoolClient,
    schemas: readonly KeptSchema[],
    manifest: Manifest,
  ) {
    this.#pool = pool;
    this.#client = client;
    this.#schemas = schemas;
    this.#manifest = manifest;
  }

  /** @throws {Refusal} the archive has tables that this version does not know; nothing was created. */
  static async open(
    url: string,
    schemas: readonly KeptSchema[],
    manifest: Manifest,
  ): Promise<TableRestore> {
    refuseNewerTables(schemas, manifest);
    const pool = openPool({ url, name: "restore", max: 2, statementMs: "unlimited" });
    try {
      for (const { name, migrations } of schemas) {
        const applied = new Set(manifest.migrations[name]);
        await applyMigrations(
          pool,
          name,
          migrations.filter(({ id }) => applied.has(id)),
        );
      }
      return new TableRestore(pool, await pool.connect(), schemas, manifest);
    } catch (error) {
      await pool.end();
      throw error;
    }
  }

  /** Adds rows to a table. @param rows as COPY writes them. */
  async add(table: string, rows: AsyncIterable<Uint8Array>): Promise<void> {
    const columns = this.#manifest.parts[partOfTable(table)]?.columns;
    const isKnown = this.#schemas.some(({ name }) => table.startsWith(`${name}.`));
    if (!columns || !isKnown || !/^[a-z_]+\.[a-z_]+$/.test(table))
      throw new Refusal(`The archive has a table that this version does not know (${table}).`);
    await addRows(this.#client, { name: table, columns }, rows);
  }

  /** One statement on the connection that adds the rows. */
  async run(statement: string, values: unknown[] = []): Promise<void> {
    await this.#client.query(statement, values);
  }

  /** Brings the tables up to this version. */
  async finish(): Promise<void> {
    for (const { name, migrations } of this.#schemas)
      await applyMigrations(this.#pool, name, migrations);
  }

  async close(): Promise<void> {
    this.#client.release(true);
    await this.#pool.end();
  }
}

/** @throws {Refusal} */
export function refuseNewerTables(
  schemas: readonly KeptSchema[],
  { migrations, version }: Manifest,
) {
  for (const { name, migrations: known } of schemas) {
    const ids = new Set(known.map(({ id }) => id));
    const unknown = migrations[name]?.find((id) => !ids.has(id));
    if (unknown !== undefined || !migrations[name])
      throw new Refusal(
        `The archive was made by another version of this program (${version}): restore it with that one.`,
      );
  }
}
