import type pg from "pg";
import { DatabaseClient } from "./database-client.ts";

export interface TransactionOptions {
  /** What starts it; may set parameters for this transaction. `begin` when absent. */
  readonly begin?: string;
  /** Whether statements may take as long as they need: for migrations and indexes. */
  readonly isLong?: boolean;
}

/** Runs the work in its own transaction on one connection of the pool. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  { begin = "begin", isLong = false }: TransactionOptions = {},
): Promise<T> {
  const client = await pool.connect();
  // A long one has no limits any more; a broken one is of no use to anybody.
  let isSpent = isLong;
  try {
    if (isLong && client instanceof DatabaseClient) await client.liftLimits();
    await client.query(begin);
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => {
      isSpent = true;
    });
    throw error;
  } finally {
    client.release(isSpent);
  }
}
