import type { StoredEvent } from "#event-store/port.ts";
import type { SearchDocument, SearchWrite } from "#search/port.ts";
import type { Batch } from "../../daemon/projection.ts";
import type { Changes, Step } from "../../keyed/fold-rows.ts";
import { deletedReport } from "../../streams.ts";
import { type SourceRow, type SourceTexts, textsOf } from "./source.ts";

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
export function documentOf(row: SourceRow, texts: SourceTexts): SearchDocument {
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
