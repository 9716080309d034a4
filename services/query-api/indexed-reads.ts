import { sql } from "kysely";
import type { ReadModelDatabase } from "#read-model/database.ts";

/** What reads more of a table than is asked for. */
const NEVER = {
  enable_seqscan: "off",
  enable_sort: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  jit: "off",
};

/** How the statements of a read get at their rows. */
const ACCESS = {
  /** Along an index that has their order, row by row, as far as they are needed. */
  ordered: {
    ...NEVER,
    enable_indexscan: "on",
    enable_indexonlyscan: "on",
    enable_bitmapscan: "off",
  },
  /** Along an index or, for what is found in several places, through each. */
  looked_up: NEVER,
  /** Through the indexes that a filter is served by, in no order. */
  filtered: {
    ...NEVER,
    enable_indexscan: "off",
    enable_indexonlyscan: "off",
    enable_bitmapscan: "on",
  },
} as const;

type Access = keyof typeof ACCESS;

/** A transaction whose statements read as little as possible. */
export interface IndexedReads {
  readonly db: ReadModelDatabase;
  /** How the statements after this one get at their rows. */
  access(kind: Access): Promise<void>;
}

/**
 * Runs reads in one read-only transaction. The planner cannot know how many rows hold a word, or how
 * they lie in an order: it is kept from reading, sorting or joining a whole table.
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
