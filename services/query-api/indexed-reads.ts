import { sql } from "kysely";
import type { ReadModelDatabase } from "#read-model/database.ts";

/**
 * Runs reads that an index serves in its order, in one read-only transaction. The planner cannot
 * know how a filter's matches lie in that order: it is kept from reading or sorting more of a table
 * instead.
 */
export function readThroughIndexes<T>(
  db: ReadModelDatabase,
  work: (db: ReadModelDatabase) => Promise<T>,
): Promise<T> {
  return db
    .transaction()
    .setAccessMode("read only")
    .execute(async (transaction) => {
      await sql`set local enable_seqscan = off; set local enable_sort = off; set local jit = off`.execute(
        transaction,
      );
      return work(transaction);
    });
}
