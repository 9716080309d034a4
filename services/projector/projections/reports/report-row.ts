import type { BlindIndexes, ClearReport } from "#contracts/events/report/stored-report.ts";
import { FIELD_MASKS } from "#contracts/report/derive/visibility.ts";
import { chargebackTotal, feesCents, mainAmount } from "#contracts/report/totals.ts";
import type { ReportType } from "#contracts/report/words.ts";
import type { ReportTable, ShownChargebackRow } from "#read-model/tables/report.ts";

type Plain =
  | "created_at"
  | "updated_at"
  | "approved_at"
  | "chargebacks"
  | "blind"
  | "position"
  | "revision";

/** A row of `reports.report` as JSON: what is loaded, folded and written. Times are text. */
export interface ReportRow extends Omit<ReportTable, Plain> {
  chargebacks: readonly ShownChargebackRow[];
  blind: BlindIndexes;
  created_at: string;
  updated_at: string;
  approved_at: string | null;
  position: string;
  revision: number;
}

/** Fields of an event's part; those that are absent keep their value, null clears. */
export type Fields = Readonly<Record<string, unknown>>;

/** New values and cleared fields of an edit, as one record. */
export function changesOf(part: {
  readonly set: object;
  readonly cleared: readonly string[];
}): Fields {
  return { ...part.set, ...Object.fromEntries(part.cleared.map((field) => [field, null])) };
}

type Column = keyof ReportRow & string;

/** Fields that are columns as they are. */
const CLEAR_COLUMNS = [
  "currency",
  "check_amount_cents",
  "chargeback_fee_cents",
  "other_fees_cents",
  "transaction_date",
  "chargeback_date",
  "check_date",
  "chargeback_reason",
  "check_reason",
  "shipping_status",
  "resolution_status",
] as const satisfies readonly Column[];
const PERSONAL_COLUMNS = [
  "first_name",
  "last_name",
  "title",
  "description",
  "city",
  "state",
  "country",
  "tracking_number",
  "first_6",
  "last_4",
  "bank_name",
] as const satisfies readonly Column[];

type Mutable = Record<string, unknown>;

function take(row: Mutable, fields: Fields, columns: readonly string[]): void {
  for (const column of columns) if (column in fields) row[column] = fields[column] ?? null;
}

function takeMask(row: Mutable, fields: Fields, field: string): void {
  if (!(field in fields)) return;
  const value = fields[field];
  row[`${field}_mask`] = typeof value === "string" ? FIELD_MASKS[field]?.(value) : null;
}

/** Takes over amounts, dates and codes. The amounts are summed up again. */
export function takeClear(row: ReportRow, fields: Fields): void {
  take(row as unknown as Mutable, fields, CLEAR_COLUMNS);
  const amount = `${mainAmount(row.report_type)}_cents`;
  if (amount in fields) row.amount_cents = (fields[amount] as number | null) ?? 0;
  row.total_due_cents = row.amount_cents + feesCents(row.report_type, row);
  if (fields.chargebacks)
    row.chargebacks = shownChargebacks(
      fields.chargebacks as ClearReport["chargebacks"],
      row.chargebacks,
    );
}

/** Takes over what is shown of the reported person, masks in place of what is masked. */
export function takePersonal(row: ReportRow, fields: Fields): void {
  const target = row as unknown as Mutable;
  take(target, fields, PERSONAL_COLUMNS);
  takeMask(target, fields, "email");
  takeMask(target, fields, "phone");
  takeMask(target, fields, "bank_account");
  if (fields.chargebacks)
    row.chargebacks = withCards(row.chargebacks, fields.chargebacks as readonly Card[]);
}

/** Takes over what is shown of the reporter: the company that the public sees, and a mask. */
export function takeReporter(row: ReportRow, fields: Fields): void {
  const target = row as unknown as Mutable;
  take(target, fields, ["public_username"]);
  takeMask(target, fields, "reporter_email");
}

interface Card {
  readonly first_6?: string;
  readonly last_4?: string;
}

/** The clear halves, each with the card of the item that stood in its place. */
function shownChargebacks(
  items: ClearReport["chargebacks"],
  former: readonly ShownChargebackRow[],
): ShownChargebackRow[] {
  const shown = items.map((item) => ({ ...item, total_due_cents: chargebackTotal(item) }));
  return withCards(shown as ShownChargebackRow[], former);
}

function withCards(
  items: readonly ShownChargebackRow[],
  cards: readonly Card[],
): ShownChargebackRow[] {
  return items.map(({ first_6: _, last_4: __, ...item }, i) => {
    const { first_6, last_4 } = cards[i] ?? {};
    return { ...item, ...(first_6 ? { first_6 } : {}), ...(last_4 ? { last_4 } : {}) };
  });
}

/** An empty row of the type, to be filled by the fields of the submission. */
export function blankRow(id: string, type: ReportType): ReportRow {
  return {
    id,
    report_type: type,
    verified: false,
    slug: null,
    first_name: "",
    last_name: "",
    title: "",
    description: "",
    email_mask: null,
    phone_mask: null,
    city: "",
    state: "",
    country: "US",
    tracking_number: null,
    first_6: null,
    last_4: null,
    bank_name: null,
    bank_account_mask: null,
    currency: "USD",
    amount_cents: 0,
    check_amount_cents: null,
    chargeback_fee_cents: null,
    other_fees_cents: null,
    total_due_cents: 0,
    transaction_date: null,
    chargeback_date: null,
    check_date: null,
    chargeback_reason: null,
    check_reason: null,
    shipping_status: null,
    resolution_status: "unresolved",
    chargebacks: [],
    public_username: null,
    origin: "live",
    created_at: "",
    updated_at: "",
    approved_at: null,
    revision: 0,
    position: "",
    status: "pending",
    reporter_email_mask: null,
    rejection_reason: null,
    blind: {},
    match_keys: [],
  };
}
