import type pg from "pg";
import { LOG_STREAM } from "#event-store/log-epoch.ts";
import { projectedSchemas } from "#read-model/install.ts";
import type { Batch, Projection, ProjectionWriter } from "../../daemon/projection.ts";
import { reportOf } from "../../daemon/projection.ts";
import { type RowTable, writeRows } from "../row-writes.ts";
import {
  areEmpty,
  outdatedSchema,
  rebuildSchema,
  type WriterOptions,
} from "../schema-projection.ts";
import { foldReports, type GoneSlug, type ReportChanges } from "./report-fold.ts";
import { blankRow, type ReportRow } from "./report-row.ts";

function tableOf(schema: string): RowTable {
  return { name: `${schema}.report`, columns: COLUMNS, lists: ["match_keys"] };
}
const COLUMNS = Object.keys(blankRow("", "chargeback"));

function reportsWriter(schema: string, { bulk = false }: WriterOptions = {}): ProjectionWriter {
  return {
    async apply(client, batch) {
      const loaded = await loadRows(client, schema, batch);
      const isNew = (id: string) => bulk && !loaded.has(id);
      await writeChanges(client, schema, foldReports(loaded, batch.events), isNew);
    },
    async erase(client, reportId, deletion) {
      const { rows } = await client.query<{ slug_hash: string }>(
        `delete from ${schema}.report where id = $1 returning slug_hash`,
        [reportId],
      );
      const gone_at = deletion.metadata.time;
      await writeGone(
        client,
        schema,
        rows.map(({ slug_hash }) => ({ slug_hash, report_id: reportId, gone_at })),
      );
    },
  };
}

/** The rows that the stretch touches; those of reports that begin in it cannot be there. */
async function loadRows(
  client: pg.ClientBase,
  schema: string,
  { events }: Batch,
): Promise<Map<string, ReportRow>> {
  const ids = new Set<string>();
  const begun = new Set<string>();
  for (const { stored } of events) {
    const id = reportOf(stored.stream);
    if (!id) continue;
    if (stored.revision === 0) begun.add(id);
    else if (!begun.has(id)) ids.add(id);
  }
  if (ids.size === 0) return new Map();
  const { rows } = await client.query<{ row: ReportRow }>(
    `select to_json(r) as row from ${schema}.report r where id = any($1::uuid[])`,
    [[...ids]],
  );
  return new Map(rows.map(({ row }) => [row.id, row]));
}

async function writeChanges(
  client: pg.ClientBase,
  schema: string,
  { changed, removed, gone }: ReportChanges,
  isNew: (id: string) => boolean,
): Promise<void> {
  if (removed.size > 0)
    await client.query(`delete from ${schema}.report where id = any($1::uuid[])`, [[...removed]]);
  await writeRows(client, tableOf(schema), [...changed.values()], ({ id }) => isNew(id));
  await writeGone(client, schema, gone);
}

async function writeGone(
  client: pg.ClientBase,
  schema: string,
  gone: readonly GoneSlug[],
): Promise<void> {
  if (gone.length === 0) return;
  await client.query(
    `insert into ${schema}.gone_slug (slug_hash, report_id, gone_at)
     select slug_hash, report_id, gone_at
     from json_populate_recordset(null::${schema}.gone_slug, $1::json)
     on conflict do nothing`,
    [JSON.stringify(gone)],
  );
}

/** Reports of every status: public list and page, moderators' lists, addresses that are gone. */
export function reportsProjection(): Projection {
  const schema = projectedSchemas.reports;
  return {
    ...reportsWriter(schema.name),
    name: "reports",
    filter: { streamPrefixes: ["report-", LOG_STREAM] },
    opens: true,
    takesUnknown: false,
    repeatable: true,
    keysOf: () => [],
    isEmpty: (client) => areEmpty(client, ["reports.report", "reports.gone_slug"]),
    outdated: (client) => outdatedSchema(client, schema),
    schemas: [schema.name],
    rebuild: (pool) => rebuildSchema(pool, schema, reportsWriter),
  };
}
