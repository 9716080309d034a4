import {
  CHARGEBACK_ONLY,
  FIELD_LABELS,
  REQUIRED_ALWAYS,
  REQUIRED_BY_TYPE,
  type ReportField,
  reportFields,
} from "#contracts/report/fields.ts";
import type { ReportType } from "#contracts/report/words.ts";
import { visibility } from "#contracts/visibility.ts";

/** A field that is typed or picked. The total is computed, the list has fields of its own. */
export type FormField = Exclude<ReportField, "chargebacks" | "total_due">;

const computed: readonly ReportField[] = ["chargebacks", "total_due"];
export const FORM_FIELDS = (Object.keys(reportFields) as ReportField[]).filter(
  (field): field is FormField => !computed.includes(field),
);

/** Fields of one additional chargeback. */
export const ITEM_FIELDS = [
  "order_id",
  "amount",
  "date",
  "reason",
  "first_6",
  "last_4",
  "chargeback_fee",
  "other_fees",
  "resolution_status",
  "notes",
] as const;
export type ItemField = (typeof ITEM_FIELDS)[number];

export const ITEM_LABELS: Readonly<Record<ItemField, string>> = {
  order_id: "Order ID",
  amount: "Amount",
  date: "Date",
  reason: "Reason",
  first_6: "Card, first 6 digits",
  last_4: "Card, last 4 digits",
  chargeback_fee: "Chargeback fee",
  other_fees: "Other fees",
  resolution_status: "Resolution status",
  notes: "Notes",
};

export const MAX_ITEMS = 50;

const AMOUNTS: ReadonlySet<string> = new Set([
  "amount",
  "chargeback_fee",
  "other_fees",
  "check_amount",
] satisfies FormField[]);

/** Whether the field, of a report or of an additional chargeback, is sent as a number. */
export function isAmountField(field: string): boolean {
  return AMOUNTS.has(field);
}

/** Fields that stand in the section of one type and are neither shown nor sent for the other. */
const SHOWN_FOR: Readonly<Partial<Record<FormField, ReportType>>> = {
  ...Object.fromEntries(CHARGEBACK_ONLY.map((field) => [field, "chargeback"])),
  amount: "chargeback",
  transaction_date: "chargeback",
  chargeback_date: "chargeback",
  chargeback_reason: "chargeback",
  chargeback_fee: "chargeback",
  check_number: "bad_check",
  bank_name: "bad_check",
  bank_routing: "bad_check",
  bank_account: "bad_check",
  check_amount: "bad_check",
  check_date: "bad_check",
  check_reason: "bad_check",
};

export function belongsTo(field: FormField, type: ReportType): boolean {
  return (SHOWN_FOR[field] ?? type) === type;
}

export function isRequired(field: FormField, type: ReportType): boolean {
  const required: readonly FormField[] = [...REQUIRED_ALWAYS, ...REQUIRED_BY_TYPE[type]];
  return required.includes(field);
}

/** Who sees it once the report is approved. */
export function publication(field: FormField): "public" | "masked" | "private" {
  const shown = visibility[field].public;
  return shown === "clear" ? "public" : shown === "masked" ? "masked" : "private";
}

/** The longest text that the field takes. */
export function maxLength(field: FormField): number | undefined {
  const schema = reportFields[field] as { maxLength?: number; pattern?: string };
  if (schema.maxLength !== undefined) return schema.maxLength;
  const digits = /\{(?:\d+,)?(\d+)\}\$$/.exec(schema.pattern ?? "")?.[1];
  return digits === undefined ? undefined : Number(digits);
}

export { FIELD_LABELS };
