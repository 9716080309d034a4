import pg from "pg";

export interface DatabaseClientConfig extends pg.ClientConfig {
  /**
   * Limit of a statement in milliseconds; none when absent. The server enforces it (SQLSTATE
   * 57014). If the server stays silent, the connection is dropped a second later.
   */
  readonly statementMs?: number;
  /** Statements that every connection runs first. */
  readonly settings?: readonly string[];
}

/** Milliseconds by which the client's limit exceeds the server's. */
const GRACE_MS = 1_000;

/**
 * A connection with a limit on each statement. It handles connection errors, including those raised
 * during setup: an unhandled error event ends the process, and a client checked out of a pool has
 * no listener. A broken connection fails the current statement, or the next one. One implementation
 * serves all overloads of `query`, hence its return type `never`: use the class as a `pg.Client`.
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
    // The reply may still come, and nobody else must get it, so the connection ends here. Without a
    // promise this is one of the pool's own queries; the pool ends the connection when such a query
    // fails.
    if (result instanceof Promise)
      result.catch((error: Error) => {
        if (error.message === "Query read timeout") super.end().catch(() => undefined);
      });
    return result as never;
  }

  /** Removes the limit of statements. The connection must not go back into a pool afterwards. */
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
