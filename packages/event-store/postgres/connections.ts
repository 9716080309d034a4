import pg from "pg";
import { DatabaseClient } from "#runtime/db/database-client.ts";
import { type ConnectionOptions, createClient, openPool } from "#runtime/db/pool.ts";
import { withDeadline } from "#runtime/lifecycle/deadline.ts";
import { StoreUnavailable } from "../errors.ts";

/**
 * Where the log is: a URL to which the store opens its own connections, or a pool that the caller
 * closes.
 */
export type Database =
  | { readonly connectionString: string; readonly pool?: undefined }
  | { readonly pool: pg.Pool; readonly connectionString?: undefined };

export interface ConnectionsOptions {
  /** Limit of each call in milliseconds, including the wait for a connection. */
  readonly timeoutMs: number;
  /** Most connections of the store's own pool. */
  readonly maxConnections: number;
  /** Name shown in `pg_stat_activity`, for the store's own pool. */
  readonly name: string;
}

/**
 * SQLSTATE classes that mean "not now" rather than a wrong statement: connection, transaction
 * state, authorisation, missing database, rollback, resources, lock or state of an object, operator
 * intervention, system.
 */
const AWAY = /^(08|25|28|3D|40|53|55|57|58)/;

/** Limit of an orderly disconnect, in milliseconds. */
const CLOSE_MS = 1_000;

/** Queries that each have a limit, and whose errors say whether the server was down. */
export class Connections {
  readonly #pool: pg.Pool;
  /** Present when the pool is the store's own. */
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
   * @throws {StoreUnavailable} no reply within the limit, or one that means "not now".
   * @throws {pg.DatabaseError} the statement itself was refused and had no effect.
   */
  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    if (this.#closed) throw new StoreUnavailable("the event log is closed");
    const config = { text, values, query_timeout: this.#timeoutMs };
    return this.#guard(async () => (await this.#pool.query<Row>(config)).rows);
  }

  /** A connection outside the pool, for listening. It is not connected yet. */
  newClient(): pg.Client {
    if (this.#own) return createClient(this.#own);
    return new DatabaseClient({
      ...this.#pool.options,
      // The pool hides the password from copies of its options.
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
    // Queries that still wait for a silent server have their own limits, and no caller any more.
    await withDeadline(this.#pool.end(), CLOSE_MS, () => new Error("too late")).catch(
      () => undefined,
    );
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    const tooLate = () =>
      new StoreUnavailable(`the event log did not answer within ${this.#timeoutMs} ms`);
    try {
      // The pool's own limits restart with each step; this one covers all steps.
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

/** How the store opens its own connections. */
export function ownOptions(url: string, name: string, timeoutMs: number): ConnectionOptions {
  return { url, name, connectMs: timeoutMs, statementMs: timeoutMs };
}
