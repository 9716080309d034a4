import type pg from "pg";
import { DatabaseClient } from "./database-client.ts";

export interface TransactionOptions {
  /** Statement that starts the transaction; it may set parameters for it. `begin` when absent. */
  readonly begin?: string;
  /** Whether statements have no time limit: for migrations and indexes. */
  readonly isLong?: boolean;
}

/** Runs the work in one transaction on one connection of the pool. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  { begin = "begin", isLong = false }: TransactionOptions = {},
): Promise<T> {
  const client = await pool.connect();
  // After a long transaction the connection has no limits, and a broken one is useless: neither is
  // reused.
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
