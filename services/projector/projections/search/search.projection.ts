import type pg from "pg";
import type { OpenData } from "#contracts/events/definition.ts";
import type { ReportEdited } from "#contracts/events/report/report-edited.ts";
import type {
  BlindIndexes,
  ClearReport,
  PersonalReport,
  ReportSubmitted,
} from "#contracts/events/report/stored-report.ts";
import type { ReportType } from "#contracts/report/words.ts";
import { type Sealed, subjects } from "#contracts/sealed.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { projectedSchemas } from "#read-model/install.ts";
import type { SearchDocument, SearchWrite, SearchWriter } from "#search/port.ts";
import type { KeyLookups } from "#vault/sealing/event-codec.ts";
import type { Batch, Projection, ProjectionRebuild } from "../../daemon/projection.ts";
import {
  type KeyedProjection,
  KeyedRows,
  keyedProjection,
  keyedWriterOf,
} from "../../keyed/keyed-projection.ts";
import { rebuildSchema, sealedCell } from "../../keyed/read-model.ts";
import type { Changes, Step } from "../../keyed/tallies.ts";
import { deletedReport } from "../../streams.ts";
import { ofReports, sealedReports } from "../of-reports.ts";
import type { SearchTarget } from "./search-target.ts";

/** Values for searches and filters that are never sealed. */
interface SourceClear {
  report_type: ReportType;
  amount_cents: number;
  check_amount_cents?: number;
  chargeback_reason?: string;
  check_reason?: string;
  /** Reasons of the additional chargebacks. */
  reasons: string[];
}

/** Searched values that are sealed until the report is public. */
interface SourceTexts {
  first_name: string;
  last_name: string;
  title: string;
  description: string;
  city: string;
  state: string;
  country: string;
  email: readonly string[];
  phone: readonly string[];
}

/** A row of `search_source.report` as JSON. */
export interface SourceRow {
  report_id: string;
  approved: boolean;
  clear: SourceClear;
  texts: Sealed;
  created_at: string;
}

const TEXT_FIELDS = [
  "first_name",
  "last_name",
  "title",
  "description",
  "city",
  "state",
  "country",
] as const satisfies readonly (keyof PersonalReport & keyof SourceTexts)[];

const textsCell = sealedCell<SourceTexts>("search_source.report", "texts", subjects.personal);

/** The parts of reports that can be searched. */
export const sources = sealedReports<SourceRow>(
  { name: "report", key: "report_id" },
  {
    submitted,
    edited,
    approved: (row, keys) => textsOf(row, keys) && { ...row, approved: true },
  },
);

function submitted(
  id: string,
  { personal, report, report_type }: OpenData<typeof ReportSubmitted>,
  created_at: string,
  keys: KeyLookups,
): SourceRow | undefined {
  if (!personal) return undefined;
  const shown = { ...pick(personal.report, TEXT_FIELDS), email: [], phone: [] };
  const texts = textsCell.seal(
    id,
    takeBlind(shown as unknown as SourceTexts, personal.blind),
    keys,
  );
  return (
    texts && {
      report_id: id,
      approved: false,
      clear: takeClear({ report_type, amount_cents: 0, reasons: [] }, report),
      texts,
      created_at,
    }
  );
}

function edited(
  row: SourceRow,
  { personal, set, cleared }: OpenData<typeof ReportEdited>,
  keys: KeyLookups,
): SourceRow | undefined {
  if (personal === null) return undefined;
  const next = { ...row, clear: takeClear(row.clear, set, cleared) };
  if (!personal) return next;
  if (!personal.blind && !TEXT_FIELDS.some((field) => field in personal.set)) return next;
  const before = textsOf(row, keys);
  const after = before && { ...before, ...pick(personal.set, TEXT_FIELDS) };
  const texts = after && textsCell.seal(row.report_id, takeBlind(after, personal.blind), keys);
  return texts && { ...next, texts };
}

/** @returns undefined once the key is destroyed. */
function textsOf(row: SourceRow, keys: KeyLookups): SourceTexts | undefined {
  return textsCell.open(row.report_id, row.texts, keys);
}

function takeBlind(texts: SourceTexts, blind: BlindIndexes | undefined): SourceTexts {
  return blind ? { ...texts, email: blind.email ?? [], phone: blind.phone ?? [] } : texts;
}

const CLEAR_FIELDS = [
  "amount_cents",
  "check_amount_cents",
  "chargeback_reason",
  "check_reason",
] as const satisfies readonly (keyof ClearReport & keyof SourceClear)[];

function takeClear(
  clear: SourceClear,
  set: Partial<ClearReport>,
  cleared: readonly string[] = [],
): SourceClear {
  const kept = Object.entries(clear).filter(([field]) => !cleared.includes(field));
  const taken = { ...Object.fromEntries(kept), ...pick(set, CLEAR_FIELDS) } as SourceClear;
  if (set.chargebacks)
    taken.reasons = set.chargebacks.flatMap(({ reason }) => (reason ? [reason] : []));
  return taken;
}

function pick<T extends object, K extends string>(from: T, fields: readonly K[]) {
  return Object.fromEntries(
    fields
      .filter((field) => field in from)
      .map((field) => [field, from[field as unknown as keyof T]]),
  );
}

/** @param index creates the index's writer for the connection's transaction. */
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

/** The last event that changes each report's document, for documents that the batch changes. */
export type Touched = Map<string, StoredEvent>;

export function noteStep(touched: Touched, { key, stored, before, after }: Step<SourceRow>): void {
  if (before?.approved || after?.approved) touched.set(key, stored);
}

/** Returns the writes to the index: each report's final state. */
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
