import type { ReportEvent } from "#contracts/events/index.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import {
  CHARGEBACK_COLUMNS,
  type FieldColumn,
  REPORT_COLUMNS,
  storedName,
} from "#contracts/report/derive/columns.ts";
import { chargebackTotal, mainAmount, totalDueCents } from "#contracts/report/submission-rules.ts";
import type { ReportType } from "#contracts/report/words.ts";
import type { JsonRow } from "#read-model/tables/column-types.ts";
import type {
  DeletionColumn,
  HoldRow,
  ReportTable,
  ShownChargebackRow,
} from "#read-model/tables/report.ts";

export type ReportRow = JsonRow<ReportTable> & {
  /** Set while the report is deleted; its row is then in `reports.hidden_report`. */
  deletion?: DeletionColumn;
};

/** Fields of an event's part. An absent field keeps its value, and null clears it. */
type Fields = Readonly<Record<string, unknown>>;

/** Returns an edit's new values and cleared fields in one record. */
export function changesOf(part: {
  readonly set: object;
  readonly cleared: readonly string[];
}): Fields {
  return { ...part.set, ...Object.fromEntries(part.cleared.map((field) => [field, null])) };
}

type Mutable = Record<string, unknown>;

const columnsOf = (part: FieldColumn["part"]) =>
  REPORT_COLUMNS.filter((column) => column.part === part);
/** `amount_cents` holds the main amount of either type. `takeClear` sets it. */
const CLEAR = columnsOf("clear").filter(({ column }) => column !== "amount_cents");
const PERSONAL = columnsOf("personal");
const REPORTER = columnsOf("reporter");
const CLEAR_OF_ITEM = CHARGEBACK_COLUMNS.filter(({ part }) => part === "clear");
const PERSONAL_OF_ITEM = CHARGEBACK_COLUMNS.filter(({ part }) => part === "personal");

/** Sets the columns from the fields, masking masked ones. */
function take(row: object, fields: object, columns: readonly FieldColumn[]): void {
  for (const { stored, column, mask } of columns) {
    if (!(stored in fields)) continue;
    const value = (fields as Fields)[stored] ?? null;
    (row as Mutable)[column] = mask && value !== null ? mask(value as string) : value;
  }
}

/** Sets amounts, dates and codes, and recomputes the total. */
export function takeClear(row: ReportRow, fields: Fields): void {
  take(row, fields, CLEAR);
  const amount = storedName(mainAmount(row.report_type));
  if (amount in fields) row.amount_cents = (fields[amount] as number | null) ?? 0;
  const items = fields.chargebacks as readonly object[] | undefined;
  if (items) row.chargebacks = items.map((item, i) => shownItem(item, row.chargebacks[i]));
  row.total_due_cents = totalDueCents(row.report_type, row, row.chargebacks);
}

/** Sets the columns about the reported person. */
export function takePersonal(row: ReportRow, fields: Fields): void {
  take(row, fields, PERSONAL);
  const halves = fields.chargebacks as readonly object[] | undefined;
  if (halves) row.chargebacks = row.chargebacks.map((item, i) => shownItem(item, halves[i]));
}

/** Sets the columns about the reporter. */
export function takeReporter(row: ReportRow, fields: Fields): void {
  take(row, fields, REPORTER);
}

/** Clears everything about the reporter, and the report's owner. */
export function forgetReporter(row: ReportRow): void {
  row.owner_id = null;
  row.owned_since = null;
  row.reporter_blind = null;
  row.address_confirmed = false;
  for (const { column } of REPORTER) (row as unknown as Mutable)[column] = null;
}

/** Combines an additional chargeback from its two parts. Either part may be one that is already shown. */
function shownItem(clear: object, personal: object = {}): ShownChargebackRow {
  const shown = { total_due_cents: chargebackTotal(clear) };
  take(shown, clear, CLEAR_OF_ITEM);
  take(shown, personal, PERSONAL_OF_ITEM);
  return shown as ShownChargebackRow;
}

/** The row before a submission. All rows start as copies of it, so they share one shape. */
const BLANK = {
  id: "",
  ...Object.fromEntries(REPORT_COLUMNS.map(({ column }) => [column, null])),
  amount_cents: 0,
  total_due_cents: 0,
  chargebacks: [],
  copies: [],
  files: [],
  holds: [],
  withheld: [],
  verified: false,
  resolved: false,
  slug: null,
  origin: "live",
  created_at: "",
  updated_at: "",
  approved_at: null,
  revision: 0,
  position: "",
  status: "pending",
  rejection_reason: null,
  decided_at: null,
  waiting_since: "",
  settled_at: null,
  before_decision: null,
  blind: {},
  match_keys: [],
  owner_id: null,
  owned_since: null,
  reporter_blind: null,
  address_confirmed: false,
  questions: [],
  moderator_notes: [],
  asked_until: null,
  answered_at: null,
  resolution: null,
  resolution_at: null,
  deletion_request: null,
} as unknown as ReportRow;

/** Returns an empty row of this type, to be filled from the submission. */
export function blankRow(id: string, type: ReportType): ReportRow {
  return { ...BLANK, id, report_type: type };
}

type EvidenceEvent = Extract<ReportEvent, { type: `Evidence${string}` }>;

/** Records a change of a report's files and published copies. @param at RFC 3339. @returns undefined once erased. */
export function takeEvidence(
  row: ReportRow,
  event: EvidenceEvent,
  at: string,
): ReportRow | undefined {
  switch (event.type) {
    case "EvidenceAdded": {
      const { file_id, kind, type } = event.data;
      row.files = [...row.files, { file_id, kind, type, added_at: at }];
      return row;
    }
    case "EvidencePublished": {
      const { copy_id, file_id, kind, page, personal } = event.data;
      if (!personal) return undefined;
      const { width, height, bytes } = personal;
      const copy = { copy_id, file_id, kind, ...omitUndefined({ page }), width, height, bytes };
      row.copies = [...row.copies, { ...copy, published_at: at }];
      return row;
    }
    case "EvidenceHidden":
      dropCopy(row, event.data.copy_id);
      return row;
    case "EvidenceWithheld":
      withhold(row, event.data.copy_id, event.data.notice_id, at);
      return row;
    case "EvidenceReleased":
      release(row, event.data.copy_id, event.data.notice_id);
      return row;
    case "EvidenceDeleted":
      return row;
    case "EvidenceErased": {
      const { file_id: id } = event.data;
      row.files = row.files.filter(({ file_id }) => file_id !== id);
      dropCopy(row, id);
      return row;
    }
  }
}

function dropCopy(row: ReportRow, id: string): void {
  row.copies = row.copies.filter(({ copy_id }) => copy_id !== id);
  row.withheld = row.withheld.filter(({ copy_id }) => copy_id !== id);
}

function withhold(row: ReportRow, id: string, notice: string, at: string): void {
  const shown = row.copies.find(({ copy_id }) => copy_id === id);
  row.copies = row.copies.filter(({ copy_id }) => copy_id !== id);
  row.withheld = shown
    ? [...row.withheld, { ...shown, holds: addHold([], notice, at) }]
    : row.withheld.map((copy) =>
        copy.copy_id === id ? { ...copy, holds: addHold(copy.holds, notice, at) } : copy,
      );
}

/** Shows the copy again, after the others, once no notice holds it. */
function release(row: ReportRow, id: string, notice: string): void {
  row.withheld = row.withheld.map((copy) =>
    copy.copy_id === id ? { ...copy, holds: removeHold(copy.holds, notice) } : copy,
  );
  const free = row.withheld.find(({ copy_id, holds }) => copy_id === id && holds.length === 0);
  if (!free) return;
  const { holds: _, ...copy } = free;
  row.withheld = row.withheld.filter(({ copy_id }) => copy_id !== id);
  row.copies = [...row.copies, copy];
}

/** Adds a hold; the oldest one comes first. */
export function addHold(holds: readonly HoldRow[], notice_id: string, since: string): HoldRow[] {
  return [...holds, { notice_id, since }];
}

/** Removes a notice's hold. */
export function removeHold(holds: readonly HoldRow[], notice: string): HoldRow[] {
  return holds.filter(({ notice_id }) => notice_id !== notice);
}
