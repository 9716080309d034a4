import { sql } from "kysely";
import type { ReadModelDatabase } from "#read-model/database.ts";

/** Settings that rule out plans that read more of a table than they need. */
const NEVER = {
  enable_seqscan: "off",
  enable_sort: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  jit: "off",
};

/** Planner settings for each way to find rows. */
const ACCESS = {
  /** Scans an index in the order of the list, row by row, and stops when enough are found. */
  ordered: {
    ...NEVER,
    enable_indexscan: "on",
    enable_indexonlyscan: "on",
    enable_bitmapscan: "off",
  },
  /** Scans one index, or several and combines what they find. */
  looked_up: NEVER,
  /** Combines the indexes of a filter, without any order. */
  filtered: {
    ...NEVER,
    enable_indexscan: "off",
    enable_indexonlyscan: "off",
    enable_bitmapscan: "on",
  },
} as const;

type Access = keyof typeof ACCESS;

/** A transaction whose statements read as few rows as possible. */
export interface IndexedReads {
  readonly db: ReadModelDatabase;
  /** Sets how the following statements find their rows. */
  access(kind: Access): Promise<void>;
}

/**
 * Runs reads in one read-only transaction. The planner cannot know how many rows contain a word, or
 * where they are in an order. So it is kept from reading, sorting or joining a whole table.
 */
export function readThroughIndexes<T>(
  db: ReadModelDatabase,
  first: Access,
  work: (reads: IndexedReads) => Promise<T>,
): Promise<T> {
  return db
    .transaction()
    .setAccessMode("read only")
    .execute(async (transaction) => {
      const access = async (kind: Access) => {
        const settings = Object.entries(ACCESS[kind]);
        const statements = settings.map(([name, value]) => `set local ${name} = ${value}`);
        await sql.raw(statements.join("; ")).execute(transaction);
      };
      await access(first);
      return work({ db: transaction, access });
    });
}
