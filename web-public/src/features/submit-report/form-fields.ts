import {
  type ChargebackField,
  FORM_SECTIONS,
  MAX_CHARGEBACKS,
  type ReportField,
} from "#contracts/report/catalogue.ts";
import {
  CHARGEBACK_FIELDS,
  CHARGEBACK_ROWS,
  FIELD_LABELS,
  fieldsWhere,
  isMoney,
  isRequired,
  REPORT_FIELDS,
  REPORT_ROWS,
} from "#contracts/report/derive/fields.ts";
import { visibility } from "#contracts/report/derive/visibility.ts";
import type { ReportType } from "#contracts/report/words.ts";

/** A field that is typed or picked. The total is computed, the list has fields of its own. */
export type FormField = Exclude<ReportField, "chargebacks" | "total_due">;

const computed: readonly ReportField[] = ["chargebacks", "total_due"];
export const FORM_FIELDS = REPORT_FIELDS.filter(
  (field): field is FormField => !computed.includes(field),
);

/** Fields of one additional chargeback that are typed or picked. */
export type ItemField = Exclude<ChargebackField, "total_due">;
export const ITEM_FIELDS = CHARGEBACK_FIELDS.filter(
  (field): field is ItemField => field !== "total_due",
);

export const ITEM_LABELS: Readonly<Record<ItemField, string>> = Object.fromEntries(
  ITEM_FIELDS.map((field) => [field, CHARGEBACK_ROWS[field].label]),
) as Record<ItemField, string>;

export const MAX_ITEMS = MAX_CHARGEBACKS;

/** Whether a report of the type has the field: the others neither show nor send it. */
export function belongsTo(field: FormField, type: ReportType): boolean {
  const { only, asked } = REPORT_ROWS[field];
  return (only ?? asked ?? type) === type;
}

/** Who sees it once the report is approved. */
export function publication(field: FormField): "public" | "masked" | "private" {
  const shown = visibility[field].public;
  return shown === "clear" ? "public" : shown === "masked" ? "masked" : "private";
}

/** The longest text that the field takes. */
export function maxLength(field: FormField): number | undefined {
  const { max, digits } = REPORT_ROWS[field];
  return max ?? digits;
}

/** The fields as a person meets them, from top to bottom. */
export const FIELD_ORDER: readonly string[] = [
  ...FORM_SECTIONS.flatMap((part) => fieldsWhere(({ section }) => section === part)),
  "terms_accepted",
];

export { FIELD_LABELS, isMoney as isAmountField, isRequired };
