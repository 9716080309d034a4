import type pg from "pg";
import { readModelPool } from "#read-model/database.ts";

/** A statement as it was sent to the server. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A client's `query` in the two forms in which pools and Kysely call it. */
type Query = (text: string | pg.QueryConfig, values?: unknown[]) => unknown;

/** A pool that records every statement sent through it. */
export class NotingPool {
  readonly pool: pg.Pool;
  #noted: Statement[] = [];

  constructor(url: string) {
    this.pool = readModelPool(url, { name: "bench", max: 4, statementMs: "unlimited" });
    this.pool.on("connect", (client) => {
      const target = client as unknown as { query: Query };
      const query = target.query.bind(client);
      target.query = (text, ...rest) => {
        const isText = typeof text === "string";
        const values = (isText ? rest[0] : text.values) ?? [];
        this.#noted.push({ text: isText ? text : text.text, values: values as unknown[] });
        return query(text, ...rest);
      };
    });
  }

  /** The statements of the work, in the order in which they were sent. */
  async note(work: () => Promise<unknown>): Promise<Statement[]> {
    this.#noted = [];
    await work();
    return this.#noted;
  }
}

/** Sends the statements one after the other on one connection, and reads all rows. */
export async function replay(pool: pg.Pool, statements: readonly Statement[]): Promise<void> {
  const client = await pool.connect();
  try {
    for (const { text, values } of statements) await client.query(text, [...values]);
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}
