import type { ReportField } from "#contracts/report/catalogue.ts";
import { visibility } from "#contracts/report/derive/visibility.ts";
import { maskCard } from "#contracts/report/masks.ts";
import type { Field } from "../../shared/FieldList.tsx";
import { fieldLabel, stateText, valueText } from "../../shared/labels.ts";

/** A report on any screen: masked, opened, or as it stood; what is missing is not known here. */
export type ShownReport = Readonly<Record<string, unknown>>;

export interface FieldGroup {
  readonly title: string;
  readonly fields: readonly Field[];
}

const PERSON: readonly ReportField[] = [
  "first_name",
  "middle_initial",
  "last_name",
  "email",
  "phone",
  "street_address",
  "city",
  "state",
  "zip",
  "country",
  "ip_address",
];
const MATTER: readonly ReportField[] = [
  "report_type",
  "title",
  "description",
  "item_purchased",
  "tracking_number",
  "shipping_status",
  "transaction_date",
  "chargeback_date",
  "chargeback_reason",
  "resolution_status",
  "notes",
];
const CHECK: readonly ReportField[] = [
  "check_number",
  "check_date",
  "check_reason",
  "bank_name",
  "bank_routing",
  "bank_account",
];
const REPORTER: readonly ReportField[] = [
  "reporter_first_name",
  "reporter_last_name",
  "reporter_email",
  "reporter_phone",
  "reporter_company_name",
  "public_username",
];

/** Fields that a report shows even when they are empty, for their absence says something. */
const ALWAYS = new Set<ReportField>(["email", "phone", "public_username"]);

/**
 * A report as groups of named values: those that stand before its amounts, and those after them.
 * @param opened whether what lists keep back is among the values; else those fields are left out.
 */
export function recordGroups(
  report: ShownReport,
  opened: boolean,
): readonly [before: FieldGroup[], after: FieldGroup[]] {
  const isCheck = report.report_type === "bad_check";
  const group = (title: string, names: readonly ReportField[]): FieldGroup => ({
    title,
    fields: names.flatMap((name) => fieldOf(name, report, opened)),
  });
  const isThere = ({ fields }: FieldGroup) => fields.length > 0;
  const before = [group("Reported person", PERSON), group("What happened", MATTER)];
  const after = [
    isCheck ? group("Check", CHECK) : { title: "Card", fields: cardField(report) },
    group("Reporter", REPORTER),
  ];
  return [before.filter(isThere), after.filter(isThere)];
}

/** Whether moderators see a field only after a reveal. */
export function isKept(name: ReportField): boolean {
  return visibility[name].moderator === "hidden";
}

function fieldOf(name: ReportField, report: ShownReport, opened: boolean): Field[] {
  const value = report[name];
  const given = value !== undefined && value !== null && value !== "";
  // Nothing is missing from a report whose person is erased: it is gone.
  const isErased = report.first_name === undefined;
  const isTold = (ALWAYS.has(name) && !isErased) || (opened && isKept(name));
  if (!given && !isTold) return [];
  const kept = opened && visibility[name].moderator !== "clear";
  return [{ label: fieldLabel(name), value: textOf(name, value, report), kept }];
}

function textOf(name: ReportField, value: unknown, report: ShownReport): string {
  if (name === "state" && typeof value === "string") {
    return stateText(value, String(report.country ?? ""));
  }
  return valueText(name, value);
}

function cardField({ first_6, last_4 }: ShownReport): Field[] {
  const card = maskCard(textOrNothing(first_6), textOrNothing(last_4));
  return card ? [{ label: "Card number", value: card }] : [];
}

function textOrNothing(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
