import type pg from "pg";
import { LOG_STREAM } from "#event-store/log-epoch.ts";
import { projectedSchemas } from "#read-model/install.ts";
import type { Batch, Projection, ProjectionWriter } from "../../daemon/projection.ts";
import {
  areEmpty,
  isOfEarlierVersion,
  outdatedSchema,
  rebuildSchema,
  type WriterOptions,
} from "../../keyed/projected-schema.ts";
import { type RowTable, writeRows } from "../../keyed/row-writes.ts";
import { deletedReport, reportOf } from "../../streams.ts";
import { writeAddresses } from "./address-book.ts";
import { foldReports, type ReportChanges, type SlugHasher } from "./report-fold.ts";
import { blankRow, type ReportRow } from "./report-row.ts";

function tableOf(schema: string): RowTable {
  return { name: `${schema}.report`, columns: COLUMNS, lists: ["match_keys"] };
}
const COLUMNS = Object.keys(blankRow("", "chargeback"));

function reportsWriter(
  schema: string,
  slugHash: SlugHasher,
  { bulk = false }: WriterOptions = {},
): ProjectionWriter {
  return {
    async apply(client, batch) {
      const loaded = await loadRows(client, schema, batch);
      const isNew = (id: string) => bulk && !loaded.has(id);
      const changes = foldReports(loaded, batch.events, slugHash);
      await writeChanges(client, schema, changes, isNew, batch.epoch);
    },
    async erase(client, event, epoch) {
      const report_id = deletedReport(event);
      if (!report_id) return;
      await removeRows(client, schema, [report_id]);
      const { position, metadata } = event;
      const change = { kind: "retired", report_id, position, at: metadata.time } as const;
      await writeAddresses(client, [change], epoch);
    },
  };
}

/** The rows that the batch touches; those of reports that begin in it cannot be there. */
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
  { changed, removed, addresses }: ReportChanges,
  isNew: (id: string) => boolean,
  epoch: string,
): Promise<void> {
  if (removed.size > 0) await removeRows(client, schema, [...removed]);
  await writeRows(client, tableOf(schema), [...changed.values()], ({ id }) => isNew(id));
  await writeAddresses(client, addresses, epoch);
}

async function removeRows(
  client: pg.ClientBase,
  schema: string,
  ids: readonly string[],
): Promise<void> {
  await client.query(`delete from ${schema}.report where id = any($1::uuid[])`, [ids]);
  await client.query(
    `insert into ${schema}.deleted_report select unnest($1::uuid[]) on conflict do nothing`,
    [ids],
  );
}

/** Reports of every status: public list and page, moderators' lists, addresses that are gone. */
export function reportsProjection(slugHash: SlugHasher): Projection {
  const schema = projectedSchemas.reports;
  return {
    ...reportsWriter(schema.name, slugHash),
    name: "reports",
    filter: { streamPrefixes: ["report-", LOG_STREAM] },
    opens: true,
    repeatable: true,
    keysOf: () => [],
    isEmpty: (client) => areEmpty(client, ["reports.report", "reports.deleted_report"]),
    isOfEarlierVersion: (sql) => isOfEarlierVersion(sql, schema),
    outdated: (client) => outdatedSchema(client, schema),
    schemas: [schema.name],
    rebuild: (pool) =>
      rebuildSchema(pool, schema, (name, options) => reportsWriter(name, slugHash, options)),
  };
}
