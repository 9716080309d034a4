import type { TSchema } from "typebox";
import { EditReport } from "#contracts/http/moderation.ts";
import type { ChargebackField, FieldRow, ReportField } from "#contracts/report/catalogue.ts";
import { belongsTo } from "#contracts/report/derive/amounts.ts";
import {
  fieldsWhere,
  isMoney,
  isRequired as isNeeded,
  rowOf,
} from "#contracts/report/derive/fields.ts";
import { AdditionalChargeback, latestDate } from "#contracts/report/fields.ts";
import { fromCents, readAmount } from "#contracts/report/money.ts";
import {
  inCents,
  type Problems,
  problemsOfChange,
  ruleProblems,
  totalDueCents,
} from "#contracts/report/submission-rules.ts";
import { valueProblem } from "#contracts/report/value-problem.ts";
import { REPORT_STATUSES, type ReportType } from "#contracts/report/words.ts";
import { fieldLabel } from "../shared/labels.ts";
import {
  CHARGEBACK_ORDER,
  GROUP_TITLES,
  GROUPS,
  groupFields,
  leadingFirst,
  type ShownReport,
} from "./record-fields.ts";

/** Editable fields of an additional chargeback. Its total is computed. */
export type ItemFieldName = Exclude<ChargebackField, "total_due">;
export const ITEM_FIELDS = CHARGEBACK_ORDER.filter(
  (name): name is ItemFieldName => name !== "total_due",
);
/** An additional chargeback in the form, as strings; empty if there is no value. */
type ItemValues = Record<ItemFieldName, string>;

/** The values of the form. Amounts are strings until they are sent. */
export type EditValues = { [name in EditFieldName]?: string } & { chargebacks: ItemValues[] };

/** Returns the form's values for a report, masked or revealed. */
export function valuesOf(report: ShownReport, type: ReportType): EditValues {
  const items = Array.isArray(report.chargebacks) ? (report.chargebacks as ShownReport[]) : [];
  return {
    ...textsOf(report, fieldsOf(type)),
    reason: "",
    chargebacks: items.map((item) => textsOf(item, ITEM_FIELDS)),
  };
}

export function emptyItem(): ItemValues {
  return textsOf({}, ITEM_FIELDS);
}

function textsOf<F extends string>(values: ShownReport, names: readonly F[]): Record<F, string> {
  const text = (value: unknown) =>
    typeof value === "number" ? value.toFixed(2) : String(value ?? "");
  return Object.fromEntries(names.map((name) => [name, text(values[name])])) as Record<F, string>;
}

/** Computes the report's total due from the form, in its currency. Invalid amounts count as zero. */
export function totalDueOf(values: EditValues, type: ReportType): number {
  const { chargebacks, ...report } = wireOf(values, type);
  return fromCents(totalDueCents(type, inCents(report), chargebacks.map(inCents)));
}

/**
 * Returns the changes for the request: fields that differ from `before`, `null` for a field that was cleared, and all
 * additional chargebacks if any of them differs. A rejection includes its reason.
 */
export function editOf(before: EditValues, after: EditValues, type: ReportType): EditReport {
  const was: ShownReport = wireOf(before, type);
  const changed = Object.entries(wireOf(after, type)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name]),
  );
  const edit = Object.fromEntries(changed) as EditReport;
  return edit.status === "rejected" ? { ...edit, reason: (after.reason ?? "").trim() } : edit;
}

/** Converts all form values to the request's format; `null` for an empty field. */
function wireOf(values: EditValues, type: ReportType) {
  const entries = fieldsOf(type).map((name) => [name, wireValue(name, values[name])]);
  return { ...Object.fromEntries(entries), chargebacks: values.chargebacks.map(itemOf) };
}

function itemOf(values: ItemValues): ShownReport {
  const entries = ITEM_FIELDS.map((name) => [name, wireValue(name, values[name])]);
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}

function wireValue(name: string, typed = ""): string | number | boolean | null {
  const text = typed.trim();
  if (text === "") return null;
  if (isMoney(name)) return readAmount(text) ?? text;
  return name === "verified" ? text === "true" : text;
}

const STATUS = {
  status: { kind: "choice", codes: REPORT_STATUSES },
  verified: { kind: "choice", codes: { true: "Yes", false: "No" } },
} as const satisfies Readonly<Record<string, EditRow>>;

/** Fields of the form: those of the catalog, plus those for the report's status. */
export type EditFieldName = Exclude<ReportField, "chargebacks"> | keyof typeof STATUS | "reason";

export type EditRow = Pick<FieldRow, "kind" | "codes" | "width">;

/** Returns the row of a field of {@link editGroups}. */
export function editRow(name: EditFieldName): EditRow {
  return STATUS[name as keyof typeof STATUS] ?? (rowOf(name) as FieldRow);
}

interface EditGroup {
  readonly title: string;
  readonly fields: readonly EditFieldName[];
}

/** Returns the form's fields for this type of report, by group. */
export function editGroups(type: ReportType): readonly EditGroup[] {
  // Not editable because they are not part of the report's events: the type, computed totals, and the list.
  const isEntered = (row: FieldRow) =>
    row.part !== undefined && (row.editedInAll === true || belongsTo(row, type));
  const beside = fieldsWhere((row) => row.besideStatus === true && isEntered(row));
  const groups = GROUPS.map((group) => ({
    title: GROUP_TITLES[group],
    fields: groupFields(group, (row) => !row.besideStatus && isEntered(row)) as EditFieldName[],
  }));
  const statusFields = leadingFirst<ReportField>(beside, ["resolution_status"]) as EditFieldName[];
  return [
    { title: "Status", fields: ["status", "verified", ...statusFields] },
    ...groups.filter(({ fields }) => fields.length > 0),
  ];
}

const fieldsOf = (type: ReportType) => editGroups(type).flatMap(({ fields }) => fields);

/** Whether the field can't be cleared, because this type of report requires it or gives it a default. */
export function isRequired(name: string, type: ReportType): boolean {
  return Object.hasOwn(STATUS, name) || rowOf(name)?.filled === true || isNeeded(name, type);
}

interface EditContext {
  readonly report: ShownReport;
  readonly type: ReportType;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Validates an edit and returns the problems by field name (`chargebacks.0.date` for an item). The server validates
 * everything again; this only saves a request.
 */
export function editProblems(edit: EditReport, { report, type, now }: EditContext): Problems {
  const { chargebacks = [], ...fields } = edit;
  const found = [
    ...Object.entries(fields).map(([name, value]) => [
      name,
      value === null || value === ""
        ? emptied(name, type)
        : refused(EditReport.properties, name, value),
    ]),
    ...chargebacks.flatMap((item, index) =>
      Object.entries({ ...AMOUNT_ASKED, ...item }).map(([name, value]) => [
        `chargebacks.${index}.${name}`,
        value === undefined
          ? "Amount is required"
          : refused(AdditionalChargeback.properties, name, value),
      ]),
    ),
  ];
  const after = { ...report, ...edit, report_type: type, total_due: undefined };
  const amount = type === "bad_check" ? { amount: undefined } : {};
  const rules = ruleProblems({ ...after, ...amount }, latestDate(now));
  return {
    ...problemsOfChange(rules, (field) => field in edit),
    ...Object.fromEntries(found.filter(([, problem]) => problem)),
  };
}

/** An additional chargeback always needs an amount. */
const AMOUNT_ASKED = { amount: undefined };

function emptied(name: string, type: ReportType): string | undefined {
  if (name === "reason") return "A rejection needs a reason";
  return isRequired(name, type) ? `${fieldLabel(name)} is required` : undefined;
}

function refused(properties: Readonly<Record<string, TSchema>>, name: string, value: unknown) {
  const schema = properties[name];
  return schema && valueProblem(fieldLabel(name), rowOf(name), schema, value);
}
