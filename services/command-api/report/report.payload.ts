import {
  type ClearReport,
  clearFields,
  type PersonalReport,
  personalFields,
  type ReporterReport,
  reporterFields,
} from "#contracts/events/report/stored-report.ts";
import type { SubmitReport } from "#contracts/http/reports.ts";
import type { ChargebackField } from "#contracts/report/catalogue.ts";
import { storedName } from "#contracts/report/derive/columns.ts";
import { CHARGEBACK_ROWS, isMoney } from "#contracts/report/derive/fields.ts";
import { toCents } from "#contracts/report/money.ts";

/** A report in the three parts that are kept apart. */
export interface NewReport {
  readonly clear: ClearReport;
  readonly personal: PersonalReport;
  readonly reporter: ReporterReport;
}

/** The three parts of a record on the wire; absent fields stay absent. */
export interface PartedFields {
  readonly clear: Record<string, unknown>;
  readonly personal: Record<string, unknown>;
  readonly reporter: Record<string, unknown>;
}

/** Fields of the wire that are computed or say nothing about the report itself. */
const NOT_STORED = new Set(["report_type", "total_due", "terms_accepted"]);

/** Part that a stored field belongs to. */
export function partOf(stored: string): keyof PartedFields {
  if (stored in clearFields) return "clear";
  if (stored in personalFields) return "personal";
  if (stored in reporterFields) return "reporter";
  throw new TypeError(`${stored} belongs to no part of a report`);
}

/** Sorts the fields of a payload into the parts, amounts as cents. */
export function parted(payload: object): PartedFields {
  const parts: PartedFields = { clear: {}, personal: {}, reporter: {} };
  for (const [field, value] of Object.entries(payload)) {
    if (NOT_STORED.has(field) || value === undefined) continue;
    if (field === "chargebacks") {
      const items = (value as object[]).map(partedChargeback);
      parts.clear.chargebacks = items.map((item) => item.clear);
      parts.personal.chargebacks = items.map((item) => item.personal);
      continue;
    }
    const name = storedName(field);
    parts[partOf(name)][name] = isMoney(field) ? toCents(value as number) : value;
  }
  return parts;
}

function partedChargeback(item: object) {
  const clear: Record<string, unknown> = {};
  const personal: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(item)) {
    if (field === "total_due" || value === undefined) continue;
    if (CHARGEBACK_ROWS[field as ChargebackField]?.part === "personal") personal[field] = value;
    else clear[storedName(field)] = isMoney(field) ? toCents(value as number) : value;
  }
  return { clear, personal };
}

/** A valid submission in its parts, with the spec's defaults where a field was left out. */
export function toNewReport(body: SubmitReport): NewReport {
  const bad = body.report_type === "bad_check";
  const { amount, ...rest } = body;
  const { clear, personal, reporter } = parted(bad ? rest : { ...rest, amount });
  return {
    clear: {
      currency: "USD",
      resolution_status: "unresolved",
      chargebacks: [],
      ...(bad ? {} : { shipping_status: "not_shipped", chargeback_reason: "services_received" }),
      ...clear,
    } as ClearReport,
    personal: { country: "US", chargebacks: [], ...personal } as unknown as PersonalReport,
    reporter: reporter as unknown as ReporterReport,
  };
}
