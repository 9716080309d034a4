import type pg from "pg";
import type { SearchWriter } from "#search/port.ts";
import type { PostgresSearchIndex } from "#search/postgres/postgres-search-index.ts";
import type { OutsideLeftovers } from "../../daemon/projection.ts";
import { readOutsideIndex } from "./outside-index.ts";

/** The index that the search projection fills, with what ties it to the rows in the database. */
export interface SearchTarget {
  /** A writer for the work of the caller's transaction. */
  writer(client: pg.ClientBase): SearchWriter;
  /** Whether nothing was ever written into it. */
  isEmpty(client: pg.ClientBase): Promise<boolean>;
  /** Why it cannot be gone on with; undefined when it can. Makes it ready to be written. */
  outdated(client: pg.ClientBase): Promise<string | undefined>;
  /** Schemas that a rebuild makes anew. */
  readonly schemas: readonly string[];
  beginRebuild(pool: pg.Pool): Promise<SearchTargetRebuild>;
  /** What rebuilds left behind outside of the database. */
  readonly outside: OutsideLeftovers | undefined;
}

/** A new index beside the live one. See `ProjectionRebuild`. */
export interface SearchTargetRebuild {
  writer(client: pg.ClientBase): SearchWriter;
  prepare(): Promise<void>;
  swap(client: pg.ClientBase): Promise<void>;
  discardOld(): Promise<void>;
  abort(): Promise<void>;
}

export const OTHER_RULES = "the search index was filled under other rules of matching";

/** The index in the same database: written, and swapped, in the transaction of the checkpoint. */
export function postgresTarget(index: PostgresSearchIndex): SearchTarget {
  return {
    writer: (client) => index.writer(client),
    isEmpty: async () => true,
    async outdated(client) {
      if (await readOutsideIndex(client))
        return "the search index was kept outside of the database since";
      return (await index.state()).outdated ? OTHER_RULES : undefined;
    },
    schemas: ["search"],
    async beginRebuild() {
      const rebuild = await index.beginRebuild();
      return {
        writer: (client) => rebuild.writer(client),
        prepare: () => rebuild.prepare(),
        async swap(client) {
          await rebuild.swap(client);
          await client.query("delete from processor.outside_index where processor = 'search'");
        },
        discardOld: () => rebuild.discardOld(),
        abort: () => rebuild.abort(),
      };
    },
    outside: undefined,
  };
}
