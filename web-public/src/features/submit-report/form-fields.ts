import {
  type ChargebackField,
  FORM_SECTIONS,
  type FormSection,
  type ReportField,
} from "#contracts/report/catalogue.ts";
import { belongsTo } from "#contracts/report/derive/amounts.ts";
import { CHARGEBACK_FIELDS, fieldsWhere, REPORT_FIELDS } from "#contracts/report/derive/fields.ts";
import type { Shown } from "#contracts/report/derive/visibility.ts";
import type { ReportType } from "#contracts/report/words.ts";

/** A field that is typed or selected. The total is computed, and additional chargebacks have their own fields. */
export type FormField = Exclude<ReportField, "chargebacks" | "total_due">;

const computed: readonly ReportField[] = ["chargebacks", "total_due"];
export const FORM_FIELDS = REPORT_FIELDS.filter(
  (field): field is FormField => !computed.includes(field),
);

/** A field of an additional chargeback that is typed or selected. */
export type ItemField = Exclude<ChargebackField, "total_due">;
export const ITEM_FIELDS = CHARGEBACK_FIELDS.filter(
  (field): field is ItemField => field !== "total_due",
);

export type Publication = "public" | "masked" | "private";
/** Who sees a field after approval, by its visibility to the public. */
export const PUBLICATION: Readonly<Record<Shown, Publication>> = {
  clear: "public",
  masked: "masked",
  hidden: "private",
};

/** Returns a section's fields for this type of report, in order. */
export function sectionFields(part: FormSection, type: ReportType): readonly ReportField[] {
  return fieldsWhere((row) => row.section === part && belongsTo(row, type));
}

/** All fields in the form's order. */
export const FIELD_ORDER: readonly string[] = [
  ...FORM_SECTIONS.flatMap((part) => fieldsWhere(({ section }) => section === part)),
  "terms_accepted",
];
