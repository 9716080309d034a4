import type pg from "pg";

/**
 * Runs the work in a transaction of its own on one connection of the pool.
 * @param begin what starts it; may set parameters for this transaction.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  begin = "begin",
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch((cause: unknown) => {
      broken = new Error("the connection is lost", { cause });
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
