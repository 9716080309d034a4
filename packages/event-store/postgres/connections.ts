import pg from "pg";
import { DatabaseClient } from "#runtime/db/database-client.ts";
import { type ConnectionOptions, createClient, openPool } from "#runtime/db/pool.ts";
import { withDeadline } from "#runtime/lifecycle/deadline.ts";
import { StoreUnavailable } from "../errors.ts";

/** Where the log is: a URL for connections of the store's own, or a pool that the caller closes. */
export type Database =
  | { readonly connectionString: string; readonly pool?: undefined }
  | { readonly pool: pg.Pool; readonly connectionString?: undefined };

export interface ConnectionsOptions {
  /** Limit of each call, waiting for a connection included, in milliseconds. */
  readonly timeoutMs: number;
  /** Connections at most, where the pool is the store's own. */
  readonly maxConnections: number;
  /** Shown in `pg_stat_activity`, where the pool is the store's own. */
  readonly name: string;
}

/**
 * Classes of SQLSTATE that say "not now", and not that the statement is wrong: connection,
 * transaction state, authorisation, database not there, rollback, resources, lock or state of an
 * object, operator's intervention, system.
 */
const AWAY = /^(08|25|28|3D|40|53|55|57|58)/;

/** Limit of an orderly disconnect, in milliseconds. */
const CLOSE_MS = 1_000;

/** Queries with a limit on each, whose failures say whether the server was down. */
export class Connections {
  readonly #pool: pg.Pool;
  /** Of a pool of the store's own. */
  readonly #own: ConnectionOptions | undefined;
  readonly #timeoutMs: number;
  #closed = false;

  constructor(database: Database, options: ConnectionsOptions) {
    const { timeoutMs, maxConnections: max, name } = options;
    this.#timeoutMs = timeoutMs;
    if (database.pool) {
      this.#pool = database.pool;
      return;
    }
    this.#own = ownOptions(database.connectionString, name, timeoutMs);
    this.#pool = openPool({
      ...this.#own,
      max,
      prepares: true,
      settings: ["set default_transaction_isolation = 'read committed'"],
    });
  }

  /**
   * @throws {StoreUnavailable} no answer within the limit, or an answer that says "not now".
   * @throws {pg.DatabaseError} the statement itself was refused; it had no effect.
   */
  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    if (this.#closed) throw new StoreUnavailable("the event log is closed");
    const config = { text, values, query_timeout: this.#timeoutMs };
    return this.#guard(async () => (await this.#pool.query<Row>(config)).rows);
  }

  /** A connection that is not of the pool, not yet connected, for listening. */
  newClient(): pg.Client {
    if (this.#own) return createClient(this.#own);
    return new DatabaseClient({
      ...this.#pool.options,
      // A pool keeps it where a copy of its options does not see it.
      password: this.#pool.options.password,
      connectionTimeoutMillis: this.#timeoutMs,
      statementMs: this.#timeoutMs,
      keepAlive: true,
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (!this.#own) return;
    // What still waits for a silent server has its own limit, and no caller.
    await withDeadline(this.#pool.end(), CLOSE_MS, () => new Error("too late")).catch(
      () => undefined,
    );
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    const tooLate = () =>
      new StoreUnavailable(`the event log did not answer within ${this.#timeoutMs} ms`);
    try {
      // The pool's own limits start again for each step; this one is on all of them.
      return await withDeadline(work(), this.#timeoutMs + 500, tooLate);
    } catch (error) {
      if (error instanceof StoreUnavailable || isRefusal(error)) throw error;
      throw new StoreUnavailable("the event log is out of reach", { cause: error });
    }
  }
}

/** Whether the server understood a statement and refused it for good. */
export function isRefusal(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && !AWAY.test(error.code ?? "");
}

/** How the store connects by itself. */
export function ownOptions(url: string, name: string, timeoutMs: number): ConnectionOptions {
  return { url, name, connectMs: timeoutMs, statementMs: timeoutMs };
}
