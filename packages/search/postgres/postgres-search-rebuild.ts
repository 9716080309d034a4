import type pg from "pg";
import { inTransaction } from "#runtime/db/migrate.ts";
import type { LogPosition, SearchRebuild, SearchWrite, SearchWriter } from "../port.ts";
import { createIndexes, createTables, dropSchema, lockInstall } from "./tables.ts";
import { applyWrites } from "./writes.ts";

/**
 * A rebuild in `<schema>_next`. `commit` does everything. A caller that also swaps its own rows
 * calls `prepare`, then `swap` in its transaction, and `discardOld` after it has committed.
 */
export class PostgresSearchRebuild implements SearchRebuild {
  readonly #pool: pg.Pool;
  readonly #live: string;
  readonly #next: string;
  readonly #old: string;

  private constructor(pool: pg.Pool, live: string) {
    this.#pool = pool;
    this.#live = live;
    this.#next = `${live}_next`;
    this.#old = `${live}_old`;
  }

  /**
   * Drops what an earlier rebuild left behind and creates the new tables, still without indexes.
   */
  static async begin(pool: pg.Pool, live: string): Promise<PostgresSearchRebuild> {
    const rebuild = new PostgresSearchRebuild(pool, live);
    await inTransaction(pool, async (client) => {
      await lockInstall(client);
      await dropSchema(client, rebuild.#next);
      await dropSchema(client, rebuild.#old);
      await createTables(client, rebuild.#next);
    });
    return rebuild;
  }

  /** A writer on the caller's connection, which is in a transaction. */
  writer(transaction: pg.ClientBase): SearchWriter {
    return {
      apply: (writes, position) => applyWrites(transaction, this.#next, writes, position),
    };
  }

  async apply(writes: readonly SearchWrite[], position: LogPosition): Promise<void> {
    await inTransaction(this.#pool, (client) => this.writer(client).apply(writes, position));
  }

  /**
   * Creates the indexes and the planner's statistics. Writing can continue afterwards, only slower.
   * @param transaction of a connection whose statements may take long.
   */
  async prepare(transaction: pg.ClientBase): Promise<void> {
    await createIndexes(transaction, this.#next);
    await transaction.query(`analyze ${this.#next}.documents`);
  }

  /**
   * Renames the live tables to the old ones and the new ones to the live ones. It waits for no
   * reader, and running searches finish on the old tables.
   */
  async swap(transaction: pg.ClientBase): Promise<void> {
    await lockInstall(transaction);
    await transaction.query(`create schema if not exists ${this.#live}`);
    await transaction.query(`alter schema ${this.#live} rename to ${this.#old}`);
    await transaction.query(`alter schema ${this.#next} rename to ${this.#live}`);
  }

  /** Drops the old tables, once the swap is committed. */
  async discardOld(): Promise<void> {
    await inTransaction(this.#pool, (client) => dropSchema(client, this.#old));
  }

  async commit(): Promise<void> {
    await inTransaction(this.#pool, (client) => this.prepare(client), { isLong: true });
    await inTransaction(this.#pool, (client) => this.swap(client));
    await this.discardOld();
  }

  async abort(): Promise<void> {
    await inTransaction(this.#pool, (client) => dropSchema(client, this.#next));
  }
}
