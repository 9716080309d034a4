import type pg from "pg";
import type { IndexState, SearchWriter } from "#search/port.ts";
import type { PostgresSearchIndex } from "#search/postgres/postgres-search-index.ts";
import { newerVersion } from "../../daemon/errors.ts";
import type { OutsideLeftovers } from "../../daemon/projection.ts";
import { readOutsideIndex } from "./outside-index.ts";

/** The index that the search projection fills, and its link to the rows in the database. */
export interface SearchTarget {
  /** A writer for the caller's transaction. */
  writer(client: pg.ClientBase): SearchWriter;
  /** Whether nothing was ever written to it. */
  isEmpty(client: pg.ClientBase): Promise<boolean>;
  /** Whether it was filled under earlier matching rules. */
  isOfEarlierVersion(sql: Pick<pg.ClientBase, "query">): Promise<boolean>;
  /**
   * Prepares the index for writing. Returns why it cannot be resumed; undefined when it can.
   * @throws {ProcessorStopped} `newer_version`
   */
  outdated(client: pg.ClientBase): Promise<string | undefined>;
  /** Schemas that a rebuild creates again. */
  readonly schemas: readonly string[];
  beginRebuild(pool: pg.Pool): Promise<SearchTargetRebuild>;
  /** Leftovers of rebuilds outside the database. */
  readonly outside: OutsideLeftovers | undefined;
}

/** A new index beside the live one. See `ProjectionRebuild`. */
export interface SearchTargetRebuild {
  writer(client: pg.ClientBase): SearchWriter;
  prepare(client: pg.ClientBase): Promise<void>;
  swap(client: pg.ClientBase): Promise<void>;
  discardOld(): Promise<void>;
  abort(): Promise<void>;
}

/**
 * Why an index cannot be resumed if it was filled under other matching rules, with the remedy.
 * @throws {ProcessorStopped} `newer_version`
 */
export function outdatedRules({ matching }: IndexState): string | undefined {
  if (matching === "later") throw newerVersion("the search index has later rules of matching");
  if (matching === "earlier") return "the search index was filled under other rules of matching";
  return undefined;
}

/**
 * The index in the same database. It is written and swapped in the transaction of the checkpoint.
 */
export function postgresTarget(index: PostgresSearchIndex): SearchTarget {
  return {
    writer: (client) => index.writer(client),
    isEmpty: async () => true,
    isOfEarlierVersion: async (sql) =>
      !(await readOutsideIndex(sql)) && (await index.state()).matching === "earlier",
    async outdated(client) {
      if (await readOutsideIndex(client))
        return "the search index was kept outside of the database since";
      return outdatedRules(await index.state());
    },
    schemas: ["search"],
    async beginRebuild() {
      const rebuild = await index.beginRebuild();
      return {
        writer: (client) => rebuild.writer(client),
        prepare: (client) => rebuild.prepare(client),
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
