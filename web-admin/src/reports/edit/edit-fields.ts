import type { ReportField } from "#contracts/report/catalogue.ts";
import { isRequired as isRequiredField } from "#contracts/report/derive/fields.ts";
import { CHARGEBACK_REASONS, CHECK_REASONS } from "#contracts/report/reasons.ts";
import {
  COUNTRIES,
  CURRENCIES,
  REPORT_STATUSES,
  RESOLUTION_STATUSES,
  type ReportType,
  SHIPPING_STATUSES,
} from "#contracts/report/words.ts";

/** A field of the form: a text, or a choice among codes. */
export type EditFieldName = Exclude<
  ReportField | "status" | "verified" | "reason",
  "report_type" | "total_due" | "chargebacks"
>;

export type FieldKind = "text" | "long" | "money" | "date" | "choice";

export interface EditField {
  readonly name: EditFieldName;
  readonly kind: FieldKind;
  readonly options?: readonly (readonly [code: string, label: string])[];
}

export interface EditGroup {
  readonly title: string;
  readonly fields: readonly EditField[];
}

const choice = (name: EditFieldName, table: Readonly<Record<string, string>>): EditField => ({
  name,
  kind: "choice",
  options: Object.entries(table),
});
const texts = (...names: EditFieldName[]): EditField[] =>
  names.map((name) => ({ name, kind: "text" }));
const money = (...names: EditFieldName[]): EditField[] =>
  names.map((name) => ({ name, kind: "money" }));
const date = (name: EditFieldName): EditField => ({ name, kind: "date" });
const long = (name: EditFieldName): EditField => ({ name, kind: "long" });

/** The form's fields for a report of one type, by subject. */
export function editGroups(type: ReportType): readonly EditGroup[] {
  const isCheck = type === "bad_check";
  return [
    {
      title: "Status",
      fields: [
        choice("status", REPORT_STATUSES),
        choice("verified", { true: "Yes", false: "No" }),
        choice("resolution_status", RESOLUTION_STATUSES),
        isCheck
          ? choice("check_reason", CHECK_REASONS)
          : choice("chargeback_reason", CHARGEBACK_REASONS),
      ],
    },
    {
      title: "Reported person",
      fields: [
        ...texts("first_name", "middle_initial", "last_name", "email", "phone"),
        ...texts("street_address", "city", "state", "zip"),
        choice("country", COUNTRIES),
        ...texts("ip_address"),
      ],
    },
    {
      title: "What happened",
      fields: [
        ...texts("title"),
        long("description"),
        ...texts("item_purchased", "tracking_number"),
        choice("shipping_status", SHIPPING_STATUSES),
        date("transaction_date"),
        ...(isCheck ? [] : [date("chargeback_date")]),
        long("notes"),
      ],
    },
    {
      title: "Amounts",
      fields: [
        choice("currency", Object.fromEntries(CURRENCIES.map((code) => [code, code]))),
        ...(isCheck
          ? money("check_amount", "other_fees")
          : money("amount", "chargeback_fee", "other_fees")),
      ],
    },
    isCheck
      ? {
          title: "Check",
          fields: [
            ...texts("check_number"),
            date("check_date"),
            ...texts("bank_name", "bank_routing", "bank_account"),
          ],
        }
      : { title: "Card", fields: texts("first_6", "last_4") },
    {
      title: "Reporter",
      fields: texts(
        "reporter_first_name",
        "reporter_last_name",
        "reporter_email",
        "reporter_phone",
        "reporter_company_name",
        "public_username",
      ),
    },
  ];
}

/** Fields that always have a value, or get a default: an edit cannot empty them. */
const NEVER_EMPTY = ["status", "verified", "currency", "country", "resolution_status"];

/** Whether a report of this type cannot be without the field. */
export function isRequired(name: string, type: ReportType): boolean {
  return NEVER_EMPTY.includes(name) || isRequiredField(name, type);
}
