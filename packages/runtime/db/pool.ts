import { createHash } from "node:crypto";
import pg, { DatabaseError } from "pg";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { isLoopbackHost } from "../net/client-address.ts";

export interface ConnectionOptions {
  /** `postgres://` URL. */
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly name: string;
  /** Statement timeout in milliseconds; 5000 by default. `unlimited` is for rebuilds. */
  readonly statementMs?: number | "unlimited";
  /** Timeout for getting a connection, in milliseconds; 5000 by default. */
  readonly connectMs?: number;
  /** Whether to prepare statements; see {@link PreparingClient}. */
  readonly prepares?: boolean;
  readonly types?: pg.CustomTypesConfig;
  /** Statements that every connection runs first. */
  readonly settings?: readonly string[];
}

export interface PoolOptions extends ConnectionOptions {
  readonly max: number;
  /** Called when an idle connection breaks; the next call replaces it. */
  readonly onLost?: (error: Error) => void;
}

const LIMIT_MS = 5_000;

/** A lost peer is detected after this time plus the system's probes. */
const KEEP_ALIVE_MS = 10_000;

/** Maximum callers waiting for a connection of one pool. */
const MAX_WAITING = 1_000;

/**
 * A PostgreSQL connection pool in which nothing waits forever. It limits the time to get a
 * connection, each statement (on the server and here), and the number of waiting callers. A connection
 * whose statement timed out does not go back into the pool. The caller ends the pool.
 *
 * `isDatabaseUnavailable` recognizes errors that mean "not now".
 */
export function openPool(options: PoolOptions): pg.Pool {
  const pool = new BoundedPool(poolConfig(options));
  pool.on("error", options.onLost ?? (() => undefined));
  return pool;
}

/** The options {@link openPool} uses, for a library that opens a pool itself. */
export function poolConfig(options: PoolOptions): Omit<pg.PoolConfig, "password"> {
  return { ...clientConfig(options), max: options.max, Client: clientClass(options) };
}

/** One connection outside a pool, with the same limits. It is not connected yet; the caller ends it. */
export function createClient(options: ConnectionOptions): pg.Client {
  const Client = clientClass(options);
  return new Client(clientConfig(options));
}

/** Runs `use` with one connection outside a pool, then ends it. */
export async function withClient<T>(
  options: ConnectionOptions,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = createClient(options);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
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
    ...omitUndefined({ types, settings }),
  };
}

class BoundedPool extends pg.Pool {
  override connect(...args: unknown[]): never {
    const [callback] = args as [((error: Error) => void)?];
    if (this.waitingCount < MAX_WAITING)
      return super.connect(...(args as Parameters<pg.Pool["connect"]>)) as never;
    const error = new DatabaseBusy("too many calls wait for a database connection");
    if (!callback) return Promise.reject(error) as never;
    queueMicrotask(() => callback(error));
    return undefined as never;
  }
}

/**
 * A connection with a time limit on each statement. It handles connection errors, even during
 * setup: an unhandled error event ends the process, and a checked-out client has no listener. A broken
 * connection fails the current statement or the next one. One implementation serves all overloads of
 * `query`, hence its return type `never`: use the class as a `pg.Client`.
 */
export class DatabaseClient extends pg.Client {
  protected settings: readonly string[];

  constructor(config?: string | DatabaseClientConfig) {
    super(config);
    const { statementMs, settings = [] } = typeof config === "object" ? config : {};
    this.settings = statementMs
      ? [...settings, `set statement_timeout = ${Math.ceil(statementMs)}`]
      : settings;
    if (statementMs) setQueryLimit(this, statementMs + GRACE_MS);
    this.on("error", () => undefined);
  }

  override connect(...args: unknown[]): never {
    const [callback] = args as [((error?: Error) => void)?];
    const connected = this.#connect();
    if (callback) connected.then(() => callback(), callback);
    return (callback ? undefined : connected) as never;
  }

  async #connect(): Promise<void> {
    try {
      await super.connect();
      if (this.settings.length > 0) await super.query(this.settings.join("; "));
    } catch (error) {
      super.end().catch(() => undefined);
      throw error;
    }
  }

  override query(...args: unknown[]): never {
    const result: unknown = super.query(...(args as Parameters<pg.Client["query"]>));
    // The reply may still arrive and must not reach another caller, so the connection ends here.
    // Without a promise this is one of the pool's own queries, and the pool ends the connection when it fails.
    if (result instanceof Promise)
      result.catch((error: Error) => {
        if (error.message === "Query read timeout") super.end().catch(() => undefined);
      });
    return result as never;
  }

  /** Removes the statement timeout. The connection must not go back into a pool afterward. */
  async liftLimits(): Promise<void> {
    setQueryLimit(this, 0);
    await super.query("set statement_timeout = 0");
  }
}

/** `pg` reads this value for each query. */
function setQueryLimit(client: pg.Client, ms: number): void {
  const { connectionParameters } = client as unknown as {
    connectionParameters: { query_timeout: number };
  };
  connectionParameters.query_timeout = ms;
}

/** SQLSTATE classes that mean "not now": connection, resources, operator, system, read-only. */
const UNAVAILABLE = /^(08|53|57|58)/;
const NETWORK =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH)$/;
/** Messages of `pg` and `pg-pool` for a connection that was never open or is closed. */
const CLIENT =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Cannot use a pool after|timeout expired)/;

/** Too many callers are waiting for the database. The call was not made. */
export class DatabaseBusy extends Error {
  override readonly name = "DatabaseBusy";
}

/** Whether an error means that the database is unavailable rather than that a query is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseBusy) return true;
  const { code } = error as { code?: unknown };
  if (error instanceof DatabaseError) return UNAVAILABLE.test(error.code ?? "");
  if (typeof code === "string" && NETWORK.test(code)) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  return CLIENT.test(error.message);
}

/**
 * A connection on which PostgreSQL parses each parameterized statement only once and may keep its
 * plan. It is for connections that repeat a few statements with constant text.
 *
 * Plans are kept while tables grow, the first from when tables are empty. Sequential scans are
 * therefore disabled, except for statements that have no alternative.
 *
 * It needs a direct connection, or a pooler that keeps sessions or supports prepared statements.
 */
export class PreparingClient extends DatabaseClient {
  constructor(config?: string | DatabaseClientConfig) {
    super(config);
    this.settings = [...this.settings, "set enable_seqscan = off"];
  }

  override query(...args: unknown[]): never {
    return super.query(...named(args));
  }
}

function named([statement, ...others]: unknown[]): unknown[] {
  const [values, ...rest] = others;
  if (typeof statement === "string") {
    if (!Array.isArray(values)) return [statement, ...others];
    return [{ name: nameOf(statement), text: statement, values }, ...rest];
  }
  if (!isConfig(statement)) return [statement, ...others];
  return [{ ...statement, name: nameOf(statement.text) }, ...others];
}

/** Whether it is an unnamed statement with values that does not submit itself. */
function isConfig(statement: unknown): statement is pg.QueryConfig {
  if (typeof statement !== "object" || statement === null || "submit" in statement) return false;
  const { text, values, name } = statement as Partial<pg.QueryConfig>;
  return typeof text === "string" && Array.isArray(values) && name === undefined;
}

const names = new Map<string, string>();

/** PostgreSQL truncates names at 63 bytes. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = createHash("sha256").update(text).digest("hex").slice(0, 32);
  names.set(text, name);
  return name;
}

interface DatabaseClientConfig extends pg.ClientConfig {
  /** Statement timeout in ms (SQLSTATE 57014), none by default; the connection is dropped a second later. */
  readonly statementMs?: number;
  /** Statements that every connection runs first. */
  readonly settings?: readonly string[];
}

/** How much longer the client's limit is than the server's, in milliseconds. */
const GRACE_MS = 1_000;

export interface ConnectionNeed {
  /** URL of a store. Only `postgres://` URLs count. */
  readonly url: string;
  /** The pool's share of the budget, relative to the others. */
  readonly weight?: number;
  /** A fixed number of connections outside the pools instead. */
  readonly single?: number;
}

/**
 * Divides a service's connection budget among its pools. Pools and single connections to the same
 * server (host and port) share one budget; each server has its own.
 * @param budget maximum connections to each server.
 * @returns connections per pool, at least one; 0 for anything that is not a PostgreSQL pool.
 */
export function divideConnections<Name extends string>(
  budget: number,
  needs: Readonly<Record<Name, ConnectionNeed>>,
): Record<Name, number> {
  const entries = Object.entries(needs) as [Name, ConnectionNeed][];
  const given = Object.fromEntries(entries.map(([name]) => [name, 0])) as Record<Name, number>;
  const servers = Map.groupBy(entries, ([, { url }]) => serverOf(url));
  servers.delete(undefined);
  for (const onServer of servers.values()) {
    let left = budget - onServer.reduce((sum, [, { single = 0 }]) => sum + single, 0);
    const pools = onServer.filter(([, { weight = 0 }]) => weight > 0);
    for (const [name] of pools) {
      given[name] = 1;
      left -= 1;
    }
    // Hand out the remainder one by one, each time to the pool with the least for its weight.
    for (; left > 0 && pools.length > 0; left -= 1) {
      const [name] = pools.reduce((a, b) => (shareOf(b) > shareOf(a) ? b : a));
      given[name] += 1;
    }
  }
  return given;

  function shareOf([name, { weight = 0 }]: [Name, ConnectionNeed]): number {
    return weight / (given[name] + 1);
  }
}

function serverOf(url: string): string | undefined {
  if (!/^postgres(ql)?:/.test(url)) return undefined;
  const { hostname, port, searchParams } = new URL(url);
  const host = searchParams.get("host") ?? hostname;
  return `${isLoopbackHost(host) ? "localhost" : host.toLowerCase()}:${port || "5432"}`;
}
