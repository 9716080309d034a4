import type pg from "pg";
import { START } from "#event-store/port.ts";
import { SearchUnavailable } from "#search/errors.ts";
import type { OpenSearchIndex } from "#search/opensearch/opensearch-search-index.ts";
import type { SearchWriter } from "#search/port.ts";
import { areEmpty } from "../../keyed/read-model.ts";
import {
  keepOutsideIndex,
  moveOutsideIndex,
  type OutsideIndex,
  readOutsideIndex,
} from "./outside-index.ts";
import { outdatedRules, type SearchTarget, type SearchTargetRebuild } from "./search-target.ts";

/**
 * The index in OpenSearch. Documents are written before the transaction of rows and checkpoint
 * commits. If it does not commit, they are written again with the same versions, which changes
 * nothing. After a commit the documents are stored and visible to searches.
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
      return whyNot(index, kept);
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
      // The checkpoint is locked, so no rebuild can replace the index meanwhile.
      const kept = await readOutsideIndex(client);
      if (!kept) throw new SearchUnavailable("no search index is kept for these rows");
      await moveOutsideIndex(client, position);
      await index.writer(kept.name).apply(writes, position);
    },
  };
}

/**
 * Takes over an index for a projection that has no rows yet. If it has rows, the index must be
 * rebuilt.
 */
async function claim(client: pg.ClientBase, index: OpenSearchIndex): Promise<string | undefined> {
  const { rows } = await client.query<{ position: string }>(
    "select position from processor.checkpoint where processor = 'search'",
  );
  const isFirst = (rows[0]?.position ?? START) === START;
  if (!isFirst || !(await areEmpty(client, ["search_source.report"])))
    return "the search index in OpenSearch does not hold what the log says so far";
  const name = await index.install();
  if ((await index.state()).position !== null)
    return "the search index in OpenSearch was filled from another log";
  await keepOutsideIndex(client, { name, position: "" });
  return undefined;
}

/**
 * Points searches at the index that belongs to the rows, in case a swap was not finished.
 * @returns why that index cannot be used; undefined when it can.
 */
async function whyNot(index: OpenSearchIndex, kept: OutsideIndex): Promise<string | undefined> {
  const all = await index.indexes.all();
  if (!all.includes(kept.name)) return "the search index in OpenSearch is gone";
  await index.indexes.show(kept.name);
  const state = await index.state();
  if ((state.position ?? "") < kept.position) return "the search index in OpenSearch was set back";
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
