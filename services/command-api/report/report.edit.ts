import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { toWire } from "#contracts/events/report/stored-report.ts";
import type { EditReport } from "#contracts/http/moderation.ts";
import { storedName } from "#contracts/report/derive/columns.ts";
import { FIELD_LABELS, requiredFields } from "#contracts/report/derive/fields.ts";
import { FIELD_MASKS } from "#contracts/report/derive/visibility.ts";
import {
  type Problems,
  problemsOfChange,
  ruleProblems,
} from "#contracts/report/submission-rules.ts";
import { parted, partOf } from "./report.payload.ts";

interface Change {
  set: Record<string, unknown>;
  cleared: string[];
}

/** The actual changes of an edit, by part of the event. */
export interface EditDiff {
  /** Field names in the order of the wire format. */
  readonly fields: string[];
  readonly clear: Change;
  readonly personal: Change;
  readonly reporter: Change;
}

/** Fields that are decided like commands, or computed. */
const COMMANDS = new Set(["status", "verified", "reason", "total_due"]);

/** Fields with rules that older reports may not meet. */
const PLACE = new Set(["country", "state", "bank_routing"]);

/** Whether the value is the mask that the console shows instead of the current value. */
function isPresentMask(field: string, value: unknown, present: unknown): boolean {
  const mask = FIELD_MASKS[field];
  return mask !== undefined && typeof present === "string" && value === mask(present);
}

/** Compares an edit with the report. For absent, `null`, unchanged and masked values, see `EditReport`. */
export function diffEdit(state: ReportState, edit: EditReport): EditDiff {
  const present = toWire(state) as Record<string, unknown>;
  const changes: Record<string, unknown> = {};
  const cleared: string[] = [];
  for (const [field, value] of Object.entries(edit)) {
    if (COMMANDS.has(field) || value === undefined) continue;
    if (field === "amount" && state.report_type === "bad_check") continue;
    if (value === null) {
      if (present[field] !== undefined) cleared.push(field);
      continue;
    }
    if (isPresentMask(field, value, present[field])) continue;
    if (!same(comparable(field, value), comparable(field, present[field]))) changes[field] = value;
  }
  const { clear, personal, reporter } = parted(changes);
  const parts = {
    clear: { set: clear, cleared: [] as string[] },
    personal: { set: personal, cleared: [] as string[] },
    reporter: { set: reporter, cleared: [] as string[] },
  };
  for (const field of cleared) {
    const part = partOf(field);
    if (part) parts[part].cleared.push(storedName(field));
  }
  const touched = new Set([...Object.keys(changes), ...cleared]);
  const fields = Object.keys(FIELD_LABELS).filter((field) => touched.has(field));
  return { fields, ...parts };
}

export function cannotBeCleared(label: string): string {
  return `${label} can't be cleared. Send a new value, or omit the field to keep the current one`;
}

/** Returns the personal part as it would be after the edit. */
export function afterEdit<T extends object>(
  personal: T,
  { personal: { set, cleared } }: EditDiff,
): T {
  const entries = Object.entries({ ...personal, ...set });
  return Object.fromEntries(entries.filter(([field]) => !cleared.includes(field))) as T;
}

/** Problems of the report as it would be after the edit, by field. */
export function editProblems(state: ReportState, edit: EditReport, latestDate: string): Problems {
  const problems: Problems = {};
  const present = toWire(state) as Record<string, unknown>;
  const after: Record<string, unknown> = { ...present };
  delete after.total_due;
  if (state.report_type === "bad_check") delete after.amount;
  for (const [field, value] of Object.entries(edit)) {
    if (value === undefined || isPresentMask(field, value, present[field])) continue;
    if (state.reporter === null && value !== null && partOf(field) === "reporter") {
      problems[field] = "The reporter was erased, so nothing about them can be stored anymore";
    }
    if (FIELD_MASKS[field] && typeof value === "string" && value.includes("***")) {
      problems[field] =
        `${FIELD_LABELS[field as keyof typeof FIELD_LABELS]} was sent masked but has changed since. Enter it in full`;
    }
    after[field] = value ?? undefined;
  }
  for (const field of requiredFields(state.report_type)) {
    const given = (edit as Record<string, unknown>)[field];
    if (given === null) problems[field] = cannotBeCleared(FIELD_LABELS[field]);
  }
  // A country or region sent unchanged was accepted before, just like one that isn't sent.
  const isChanged = (field: string) =>
    field in edit && !(PLACE.has(field) && after[field] === present[field]);
  return { ...problems, ...problemsOfChange(ruleProblems(after, latestDate), isChanged) };
}

/** Ignores the totals of additional chargebacks, which are computed and never a change by themselves. */
function comparable(field: string, value: unknown): unknown {
  if (field !== "chargebacks" || !Array.isArray(value)) return value;
  return value.map(({ total_due: _, ...item }: Record<string, unknown>) => item);
}

function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) =>
    same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  );
}
