import type {
  ClearReport,
  PersonalReport,
  ReporterReport,
} from "#contracts/events/report/stored-report.ts";
import type { SubmitReport } from "#contracts/http/reports.ts";
import type { FieldRow } from "#contracts/report/catalogue.ts";
import { initialOf } from "#contracts/report/derive/amounts.ts";
import { storedName } from "#contracts/report/derive/columns.ts";
import { CHARGEBACK_ROWS, fieldsWhere, REPORT_ROWS } from "#contracts/report/derive/fields.ts";
import { toCents } from "#contracts/report/money.ts";
import type { ReportType } from "#contracts/report/words.ts";

/** A report in its three separately stored parts. */
export interface NewReport {
  readonly clear: ClearReport;
  readonly personal: PersonalReport;
  readonly reporter: ReporterReport;
}

/** The parts of a wire-format record. Absent fields stay absent. */
export interface PartedFields {
  readonly clear: Record<string, unknown>;
  readonly personal: Record<string, unknown>;
  readonly reporter: Record<string, unknown>;
}

type Rows = Readonly<Record<string, FieldRow>>;

/** Returns the part that stores a field; undefined if the field is computed or stored elsewhere. */
export function partOf(field: string): FieldRow["part"] {
  const rows: Rows = REPORT_ROWS;
  return rows[field]?.part;
}

/** Sorts the payload's fields into parts, with amounts in cents. */
export function parted(payload: { readonly chargebacks?: readonly object[] }): PartedFields {
  const parts = sorted(REPORT_ROWS, payload);
  const items = payload.chargebacks?.map((item) => sorted(CHARGEBACK_ROWS, item));
  if (items) {
    parts.clear.chargebacks = items.map((item) => item.clear);
    parts.personal.chargebacks = items.map((item) => item.personal);
  }
  return parts;
}

function sorted(rows: Rows, fields: object): PartedFields {
  const parts: PartedFields = { clear: {}, personal: {}, reporter: {} };
  for (const [field, value] of Object.entries(fields)) {
    const row = rows[field];
    if (!row?.part || value === undefined) continue;
    parts[row.part][storedName(field)] = row.kind === "money" ? toCents(value) : value;
  }
  return parts;
}

const assumedOf = (type: ReportType) =>
  parted(
    Object.fromEntries(
      fieldsWhere(({ assumed }) => assumed === true || assumed === type).map((field) => [
        field,
        initialOf(REPORT_ROWS[field]),
      ]),
    ),
  );
const ASSUMED = { chargeback: assumedOf("chargeback"), bad_check: assumedOf("bad_check") };

/** Splits a valid submission into parts, with defaults for omitted fields. */
export function toNewReport(body: SubmitReport): NewReport {
  const assumed = ASSUMED[body.report_type];
  const { amount: _, ...ofCheck } = body;
  const { clear, personal, reporter } = parted(body.report_type === "bad_check" ? ofCheck : body);
  return {
    clear: { ...assumed.clear, chargebacks: [], ...clear } as unknown as ClearReport,
    personal: { ...assumed.personal, chargebacks: [], ...personal } as unknown as PersonalReport,
    reporter: reporter as unknown as ReporterReport,
  };
}
