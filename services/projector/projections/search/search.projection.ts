import type pg from "pg";
import { projectedSchemas } from "#read-model/install.ts";
import type { SearchWriter } from "#search/port.ts";
import type { Projection, ProjectionRebuild } from "../../daemon/projection.ts";
import {
  type KeyedProjection,
  keyedProjection,
  keyedWriterOf,
} from "../../keyed/keyed-projection.ts";
import { KeyedRows } from "../../keyed/keyed-rows.ts";
import { rebuildSchema } from "../../keyed/projected-schema.ts";
import { ofReports } from "../of-reports.ts";
import { noteStep, type Touched, writesOf } from "./index-writes.ts";
import type { SearchTarget } from "./search-target.ts";
import { sources } from "./source.ts";

/** @param index creates the index's writer for the transaction of the connection. */
function searchInto(index: (client: pg.ClientBase) => SearchWriter): KeyedProjection {
  return {
    ...ofReports,
    name: "search",
    schema: projectedSchemas.search_source,
    models: [sources],
    writesInto(schema, options) {
      const rows = new KeyedRows(sources, schema, options);
      return async (client, batch) => {
        const touched: Touched = new Map();
        const changes = await rows.fold(client, batch, (step) => noteStep(touched, step));
        await rows.write(client, changes);
        const writes = writesOf(changes, touched, batch);
        if (writes.length > 0) await index(client).apply(writes, batch.position);
      };
    },
  };
}

/** The search index of approved reports, and the rows that its documents are built from. */
export function searchProjection(target: SearchTarget): Projection {
  const rows = keyedProjection(searchInto((client) => target.writer(client)));
  return {
    ...rows,
    isEmpty: async (client) => (await rows.isEmpty(client)) && (await target.isEmpty(client)),
    isOfEarlierVersion: async (sql) =>
      (await rows.isOfEarlierVersion(sql)) || (await target.isOfEarlierVersion(sql)),
    outdated: async (client) => (await rows.outdated(client)) ?? (await target.outdated(client)),
    schemas: [...target.schemas, ...rows.schemas],
    outside: target.outside,
    rebuild: (pool) => rebuildSearch(pool, target),
  };
}

async function rebuildSearch(pool: pg.Pool, target: SearchTarget): Promise<ProjectionRebuild> {
  const documents = await target.beginRebuild(pool);
  const parts = searchInto((client) => documents.writer(client));
  const rows = await rebuildSchema(pool, parts.schema, keyedWriterOf(parts));
  return {
    apply: rows.apply,
    erase: rows.erase,
    async prepare(client) {
      await documents.prepare(client);
      await rows.prepare(client);
    },
    async swap(client) {
      await rows.swap(client);
      // Done last, because a rollback does not revert an index outside the database.
      await documents.swap(client);
    },
    async discardOld() {
      await documents.discardOld();
      await rows.discardOld();
    },
    async abort() {
      await documents.abort();
      await rows.abort();
    },
  };
}
