import pg from "pg";
import { given } from "#contracts/given.ts";
import { DatabaseClient, type DatabaseClientConfig } from "./database-client.ts";
import { PreparingClient } from "./preparing-client.ts";
import { DatabaseBusy } from "./unavailable.ts";

export interface ConnectionOptions {
  /** `postgres://` URL. */
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly name: string;
  /**
   * Limit of a statement in milliseconds; 5000 when absent. `unlimited` is for an operator's
   * command that rebuilds tables. A single long statement runs {@link inTransaction} with `isLong`.
   */
  readonly statementMs?: number | "unlimited";
  /** Limit for getting a connection in milliseconds; 5000 when absent. */
  readonly connectMs?: number;
  /** Whether statements are prepared, see {@link PreparingClient}. */
  readonly prepares?: boolean;
  readonly types?: pg.CustomTypesConfig;
  /** Statements that every connection runs first. */
  readonly settings?: readonly string[];
}

export interface PoolOptions extends ConnectionOptions {
  /** Connections at most. */
  readonly max: number;
  /** Called when an idle connection breaks; the next call replaces it. */
  readonly onLost?: (error: Error) => void;
}

const LIMIT_MS = 5_000;

/** A lost peer is noticed after this time plus the system's probes. */
const KEEP_ALIVE_MS = 10_000;

/** Most callers that may wait for a connection of one pool. */
const MOST_WAITING = 1_000;

/**
 * A pool of connections to a PostgreSQL server on which nothing waits forever. There are limits for
 * getting a connection, for each statement (on the server and here), and for the number of waiting
 * callers. A connection whose statement was given up does not go back into the pool. The caller
 * ends the pool.
 *
 * Errors that mean "not now" are those of `isDatabaseUnavailable`.
 */
export function openPool(options: PoolOptions): pg.Pool {
  const pool = new BoundedPool(poolConfig(options));
  pool.on("error", options.onLost ?? (() => undefined));
  return pool;
}

/** The options with which {@link openPool} opens a pool, for a library that opens one itself. */
export function poolConfig(options: PoolOptions): Omit<pg.PoolConfig, "password"> {
  return { ...clientConfig(options), max: options.max, Client: clientClass(options) };
}

/**
 * One connection outside of a pool, with the same limits. It is not connected yet, and the caller
 * ends it.
 */
export function createClient(options: ConnectionOptions): pg.Client {
  const Client = clientClass(options);
  return new Client(clientConfig(options));
}

function clientClass({ prepares }: ConnectionOptions): typeof DatabaseClient {
  return prepares ? PreparingClient : DatabaseClient;
}

function clientConfig(options: ConnectionOptions): DatabaseClientConfig {
  const { url, name, statementMs = LIMIT_MS, connectMs = LIMIT_MS, types, settings } = options;
  return {
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...(statementMs === "unlimited" ? {} : { statementMs }),
    ...given({ types, settings }),
  };
}

/** A pool with a limit on waiting callers. */
class BoundedPool extends pg.Pool {
  override connect(...args: unknown[]): never {
    const [callback] = args as [((error: Error) => void)?];
    if (this.waitingCount < MOST_WAITING)
      return super.connect(...(args as Parameters<pg.Pool["connect"]>)) as never;
    const error = new DatabaseBusy("too many calls wait for a database connection");
    if (!callback) return Promise.reject(error) as never;
    queueMicrotask(() => callback(error));
    return undefined as never;
  }
}
