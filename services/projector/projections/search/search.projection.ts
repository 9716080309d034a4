import type pg from "pg";
import type { StoredEvent } from "#event-store/port.ts";
import { projectedSchemas } from "#read-model/install.ts";
import type { SearchDocument, SearchWrite, SearchWriter } from "#search/port.ts";
import type { Batch, Projection, ProjectionRebuild } from "../../daemon/projection.ts";
import {
  type KeyedProjection,
  KeyedRows,
  keyedProjection,
  keyedWriterOf,
} from "../../keyed/keyed-projection.ts";
import { rebuildSchema } from "../../keyed/read-model.ts";
import type { Changes, Step } from "../../keyed/tallies.ts";
import { deletedReport } from "../../streams.ts";
import { ofReports } from "../of-reports.ts";
import type { SearchTarget } from "./search-target.ts";
import { type SourceRow, type SourceTexts, sources, textsOf } from "./source.ts";

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

/** For each report whose document the batch changes, the last event that changes it. */
export type Touched = Map<string, StoredEvent>;

export function noteStep(touched: Touched, { key, stored, before, after }: Step<SourceRow>): void {
  if (before?.approved || after?.approved) touched.set(key, stored);
}

/** The writes to the index: the final state of each report. */
export function writesOf(
  { changed }: Pick<Changes<SourceRow>, "changed">,
  touched: Touched,
  { events, keys }: Pick<Batch, "events" | "keys">,
): SearchWrite[] {
  for (const { stored } of events) {
    const deleted = deletedReport(stored);
    // The index records every deletion, so that no late write of another process reverts it.
    const last = deleted === undefined ? undefined : touched.get(deleted);
    if (deleted && !(last && last.position > stored.position)) touched.set(deleted, stored);
  }
  return [...touched].map(([id, { position }]) => {
    const row = changed.get(id);
    const texts = row?.approved ? textsOf(row, keys) : undefined;
    return row && texts
      ? { op: "upsert", position, document: documentOf(row, texts) }
      : { op: "delete", position, id };
  });
}

/** The document of an approved report: only public values and keyed hashes. */
function documentOf(row: SourceRow, texts: SourceTexts): SearchDocument {
  const { clear } = row;
  const { email, phone, ...shown } = texts;
  const bad = clear.report_type === "bad_check";
  const reasons = [clear.chargeback_reason, clear.check_reason, ...clear.reasons];
  return {
    ...shown,
    id: row.report_id,
    amount_cents: (bad ? clear.check_amount_cents : clear.amount_cents) ?? 0,
    reasons: [...new Set(reasons.filter((reason) => reason !== undefined))],
    submitted_at: row.created_at,
    blind: { email, phone },
  };
}
