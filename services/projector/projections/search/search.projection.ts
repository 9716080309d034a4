import type pg from "pg";
import { subjects } from "#contracts/sealed.ts";
import { LOG_STREAM } from "#event-store/log-epoch.ts";
import { projectedSchemas } from "#read-model/install.ts";
import type { SearchWriter } from "#search/port.ts";
import type {
  OpenedEvent,
  Projection,
  ProjectionRebuild,
  ProjectionWriter,
} from "../../daemon/projection.ts";
import {
  areEmpty,
  isOfEarlierVersion,
  outdatedSchema,
  rebuildSchema,
  type WriterOptions,
} from "../../keyed/projected-schema.ts";
import { writeRows } from "../../keyed/row-writes.ts";
import { deletedReport, reportOf } from "../../streams.ts";
import type { SearchTarget } from "./search-target.ts";
import { foldSources, type SourceRow } from "./source-fold.ts";

const COLUMNS = [
  "report_id",
  "approved",
  "clear",
  "texts",
  "created_at",
  "approved_at",
] as const satisfies readonly (keyof SourceRow)[];

/** Events after which a document is as before. */
const OF_NO_ACCOUNT = new Set([
  "ReportVerificationResent",
  "ReportVerifiedByLink",
  "ReportVerifiedByHand",
  "ReportVerificationWithdrawn",
]);

/** @param index the writer of the index for the transaction of the connection. */
function searchWriter(
  schema: string,
  index: (client: pg.ClientBase) => SearchWriter,
  { bulk = false }: WriterOptions = {},
): ProjectionWriter {
  const sources = { name: `${schema}.report`, columns: COLUMNS };
  return {
    async apply(client, { events, keys, position }) {
      const loaded = await loadSources(client, schema, events);
      const { changed, removed, writes } = foldSources(loaded, events, keys);
      await removeSources(client, schema, [...removed]);
      const isNew = ({ report_id }: SourceRow) => bulk && !loaded.has(report_id);
      await writeRows(client, sources, [...changed.values()], isNew);
      if (writes.length > 0) await index(client).apply(writes, position);
    },
    async erase(client, event) {
      const [reportId, { position }] = [deletedReport(event), event];
      if (!reportId) return;
      await removeSources(client, schema, [reportId]);
      await index(client).apply([{ op: "delete", position, id: reportId }], position);
    },
  };
}

/** The rows that the stretch touches; those of reports that begin in it cannot be there. */
async function loadSources(
  client: pg.ClientBase,
  schema: string,
  events: readonly OpenedEvent[],
): Promise<Map<string, SourceRow>> {
  const ids = new Set<string>();
  const begun = new Set<string>();
  for (const { stored } of events) {
    const id = reportOf(stored.stream);
    if (!id || OF_NO_ACCOUNT.has(stored.type)) continue;
    if (stored.revision === 0) begun.add(id);
    else if (!begun.has(id)) ids.add(id);
  }
  if (ids.size === 0) return new Map();
  const { rows } = await client.query<{ row: SourceRow }>(
    `select to_json(r) as row from ${schema}.report r where report_id = any($1::uuid[])`,
    [[...ids]],
  );
  return new Map(rows.map(({ row }) => [row.report_id, row]));
}

async function removeSources(
  client: pg.ClientBase,
  schema: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0)
    await client.query(`delete from ${schema}.report where report_id = any($1::uuid[])`, [ids]);
}

/** The search index of approved reports, and the rows that its documents are made of. */
export function searchProjection(target: SearchTarget): Projection {
  const schema = projectedSchemas.search_source;
  return {
    ...searchWriter(schema.name, (client) => target.writer(client)),
    name: "search",
    filter: { streamPrefixes: ["report-", LOG_STREAM] },
    opens: true,
    repeatable: true,
    keysOf: ({ stream, type }) => {
      const id = reportOf(stream);
      return id && !OF_NO_ACCOUNT.has(type) && type !== "ReportDeleted"
        ? [subjects.personal(id)]
        : [];
    },
    isEmpty: async (client) =>
      (await areEmpty(client, ["search_source.report"])) && (await target.isEmpty(client)),
    isOfEarlierVersion: async (sql) =>
      (await isOfEarlierVersion(sql, schema)) || (await target.isOfEarlierVersion(sql)),
    outdated: async (client) =>
      (await outdatedSchema(client, schema)) ?? (await target.outdated(client)),
    schemas: [...target.schemas, schema.name],
    outside: target.outside,
    rebuild: (pool) => rebuildSearch(pool, target),
  };
}

async function rebuildSearch(pool: pg.Pool, target: SearchTarget): Promise<ProjectionRebuild> {
  const documents = await target.beginRebuild(pool);
  const sources = await rebuildSchema(pool, projectedSchemas.search_source, (schema, options) =>
    searchWriter(schema, (client) => documents.writer(client), options),
  );
  return {
    apply: sources.apply,
    erase: sources.erase,
    async prepare() {
      await documents.prepare();
      await sources.prepare();
    },
    async swap(client) {
      await sources.swap(client);
      // Last: an index outside of the database is not put back by a rollback.
      await documents.swap(client);
    },
    async discardOld() {
      await documents.discardOld();
      await sources.discardOld();
    },
    async abort() {
      await documents.abort();
      await sources.abort();
    },
  };
}
