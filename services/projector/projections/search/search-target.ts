import type pg from "pg";
import { type Position, START } from "#event-store/port.ts";
import type { OpenSearchIndex } from "#search/opensearch/opensearch-search-index.ts";
import { type IndexState, SearchUnavailable, type SearchWriter } from "#search/port.ts";
import type { PostgresSearchIndex } from "#search/postgres/postgres-search-index.ts";
import { newerVersion } from "../../daemon/errors.ts";
import type { OutsideLeftovers } from "../../daemon/projection.ts";
import { areEmpty } from "../../keyed/read-model.ts";

/** The index that the search projection fills, and its link to the rows in the database. */
export interface SearchTarget {
  writer(client: pg.ClientBase): SearchWriter;
  /** Whether nothing was ever written to it. */
  isEmpty(client: pg.ClientBase): Promise<boolean>;
  /** Whether it was filled under earlier matching rules. */
  isOfEarlierVersion(sql: Pick<pg.ClientBase, "query">): Promise<boolean>;
  /** Prepares the index. @returns why it can't be resumed. @throws {ProcessorStopped} `newer_version` */
  outdated(client: pg.ClientBase): Promise<string | undefined>;
  readonly schemas: readonly string[];
  beginRebuild(pool: pg.Pool): Promise<SearchTargetRebuild>;
  readonly outside: OutsideLeftovers | undefined;
}

/** A new index beside the live one. See `ProjectionRebuild`. */
interface SearchTargetRebuild {
  writer(client: pg.ClientBase): SearchWriter;
  prepare(client: pg.ClientBase): Promise<void>;
  swap(client: pg.ClientBase): Promise<void>;
  discardOld(): Promise<void>;
  abort(): Promise<void>;
}

/** Returns why an index of other matching rules can't be resumed. @throws {ProcessorStopped} `newer_version` */
function outdatedRules({ matching }: IndexState): string | undefined {
  if (matching === "later") throw newerVersion("the search index uses newer matching rules");
  if (matching === "earlier") return "the search index was built with different matching rules";
  return undefined;
}

/** The index in the same database, written and swapped in the checkpoint's transaction. */
export function postgresTarget(index: PostgresSearchIndex): SearchTarget {
  return {
    writer: (client) => index.writer(client),
    isEmpty: async () => true,
    isOfEarlierVersion: async (sql) =>
      !(await readOutsideIndex(sql)) && (await index.state()).matching === "earlier",
    async outdated(client) {
      if (await readOutsideIndex(client))
        return "the search index has since been kept outside the database";
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

type Queryable = Pick<pg.ClientBase, "query">;

/** The outside index that belongs to the rows, recorded in their transactions; it overrides an alias. */
interface OutsideIndex {
  /** A name that no other index ever has. */
  readonly name: string;
  /** The index contains at least everything up to here. Empty before the first write. */
  readonly position: Position | "";
}

/** @returns undefined while the index is in the database, or not created yet. */
export async function readOutsideIndex(sql: Queryable): Promise<OutsideIndex | undefined> {
  const { rows } = await sql.query<OutsideIndex>(
    "select index_name as name, position from processor.outside_index where processor = 'search'",
  );
  return rows[0];
}

async function keepOutsideIndex(sql: Queryable, { name, position }: OutsideIndex): Promise<void> {
  await sql.query(
    `insert into processor.outside_index (processor, index_name, position)
     values ('search', $1, $2)
     on conflict (processor) do update
       set index_name = excluded.index_name, position = excluded.position`,
    [name, position],
  );
}

async function moveOutsideIndex(sql: Queryable, position: Position): Promise<void> {
  await sql.query(
    `update processor.outside_index set position = greatest(position, $1)
     where processor = 'search'`,
    [position],
  );
}

/**
 * The index in OpenSearch. Documents are written before the transaction of rows and checkpoint
 * commits. If that fails, they are written again with the same versions, which changes nothing. After
 * a commit the documents are stored and visible to searches.
 */
export function openSearchTarget(index: OpenSearchIndex): SearchTarget {
  return {
    writer: (client) => outsideWriter(client, index),
    async isEmpty() {
      return (await index.state()).position === null;
    },
    async isOfEarlierVersion(sql) {
      const kept = await readOutsideIndex(sql);
      if (!kept || (await index.indexes.live()) !== kept.name) return false;
      return (await index.state()).matching === "earlier";
    },
    async outdated(client) {
      const kept = await readOutsideIndex(client);
      if (!kept) return claim(client, index);
      return checkUsable(index, kept);
    },
    schemas: [],
    beginRebuild: (pool) => beginRebuild(pool, index),
    outside: {
      async find(sql) {
        const kept = await readOutsideIndex(sql);
        if (!kept) return [];
        const live = await index.indexes.live();
        return (await index.indexes.all()).filter((name) => name !== kept.name && name !== live);
      },
      drop: (names) => index.indexes.drop(names),
    },
  };
}

function outsideWriter(client: pg.ClientBase, index: OpenSearchIndex): SearchWriter {
  return {
    async apply(writes, position) {
      // The checkpoint is locked, so no rebuild can replace the index in the meantime.
      const kept = await readOutsideIndex(client);
      if (!kept) throw new SearchUnavailable("these rows have no search index");
      await moveOutsideIndex(client, position);
      await index.writer(kept.name).apply(writes, position);
    },
  };
}

/** Claims an index for a projection that has no rows yet. If it has rows, the index must be rebuilt. */
async function claim(client: pg.ClientBase, index: OpenSearchIndex): Promise<string | undefined> {
  const { rows } = await client.query<{ position: string }>(
    "select position from processor.checkpoint where processor = 'search'",
  );
  const isFirst = (rows[0]?.position ?? START) === START;
  if (!isFirst || !(await areEmpty(client, ["search_source.report"])))
    return "the search index in OpenSearch does not match the log";
  const name = await index.install();
  if ((await index.state()).position !== null)
    return "the search index in OpenSearch was filled from another log";
  await keepOutsideIndex(client, { name, position: "" });
  return undefined;
}

/** Points searches at the rows' index, in case of an unfinished swap. @returns why it can't be used. */
async function checkUsable(
  index: OpenSearchIndex,
  kept: OutsideIndex,
): Promise<string | undefined> {
  const all = await index.indexes.all();
  if (!all.includes(kept.name)) return "the search index in OpenSearch is missing";
  await index.indexes.show(kept.name);
  const state = await index.state();
  if ((state.position ?? "") < kept.position)
    return "the search index in OpenSearch was reverted to an older state";
  return outdatedRules(state);
}

async function beginRebuild(pool: pg.Pool, index: OpenSearchIndex): Promise<SearchTargetRebuild> {
  const kept = await readOutsideIndex(pool);
  const rebuild = await index.beginRebuild(kept?.name);
  let reached: OutsideIndex["position"] = "";
  const writer: SearchWriter = {
    async apply(writes, position) {
      await rebuild.apply(writes, position);
      reached = position;
    },
  };
  return {
    writer: () => writer,
    prepare: () => rebuild.prepare(),
    async swap(client) {
      await keepOutsideIndex(client, { name: rebuild.physical, position: reached });
      await rebuild.swap();
    },
    discardOld: () => rebuild.discardOld(),
    async abort() {
      // If the answer to a commit was lost, the new index may already belong to the rows.
      if ((await readOutsideIndex(pool))?.name !== rebuild.physical) await rebuild.abort();
    },
  };
}
