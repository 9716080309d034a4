import type { EditReport } from "#contracts/http/moderation.ts";
import type {
  ChargebackField,
  ConsoleGroup,
  FieldKind,
  FieldRow,
  ReportField,
} from "#contracts/report/catalogue.ts";
import {
  AMOUNTS,
  type Amounts,
  belongsTo,
  CHARGEBACK_AMOUNTS,
  choicesOf,
} from "#contracts/report/derive/amounts.ts";
import {
  fieldsWhere,
  isMoney,
  isRequired as isNeeded,
  REPORT_ROWS,
  rowOf,
} from "#contracts/report/derive/fields.ts";
import { fromCents, readAmount, toCents } from "#contracts/report/money.ts";
import { type AmountCents, totalDueCents } from "#contracts/report/submission-rules.ts";
import { REPORT_STATUSES, type ReportType } from "#contracts/report/words.ts";
import {
  CHARGEBACK_ORDER,
  GROUP_TITLES,
  groupFields,
  leadingFirst,
  type ShownReport,
} from "../record/record-fields.ts";

/** Fields of an additional chargeback that can be entered. Its total is computed. */
export type ItemFieldName = Exclude<ChargebackField, "total_due">;
export const ITEM_FIELDS = CHARGEBACK_ORDER.filter(
  (name): name is ItemFieldName => name !== "total_due",
);
/** An additional chargeback in the form: texts, empty where there is no value. */
type ItemValues = Record<ItemFieldName, string>;

/** The values of the form. Amounts are texts until they are sent. */
export type EditValues = { [name in EditFieldName]?: string } & { chargebacks: ItemValues[] };

type Item = NonNullable<EditReport["chargebacks"]>[number];

/** The form's values for a report, masked or revealed. */
export function valuesOf(report: ShownReport, type: ReportType): EditValues {
  const fields = editGroups(type).flatMap((group) => group.fields);
  const items = Array.isArray(report.chargebacks) ? (report.chargebacks as ShownReport[]) : [];
  return {
    ...Object.fromEntries(fields.map(({ name }) => [name, textOf(report[name])])),
    reason: "",
    chargebacks: items.map(
      (item) =>
        Object.fromEntries(ITEM_FIELDS.map((name) => [name, textOf(item[name])])) as ItemValues,
    ),
  };
}

export function emptyItem(): ItemValues {
  return Object.fromEntries(ITEM_FIELDS.map((name) => [name, ""])) as ItemValues;
}

/** The report's total due as the form has it, in its currency. */
export function totalDueOf(values: EditValues, type: ReportType): number {
  const items = values.chargebacks.map((item) => centsIn(item, CHARGEBACK_AMOUNTS));
  return fromCents(totalDueCents(type, centsIn(values, AMOUNTS[type]), items));
}

/** Amounts as they are typed; what is no amount yet counts as none. */
function centsIn(values: object, { main, fees }: Amounts): AmountCents {
  const texts = values as Partial<Record<string, string>>;
  const cents = (name: string) => toCents(readAmount(texts[name] ?? "") ?? 0);
  return Object.fromEntries([main, ...fees].map((name) => [`${name}_cents`, cents(name)]));
}

/**
 * The changes as the request takes them: fields that differ from `before`, `null` for a field that
 * was cleared, and all additional chargebacks if one of them differs. A rejection includes its
 * reason.
 */
export function editOf(before: EditValues, after: EditValues, type: ReportType): EditReport {
  const edit: Record<string, unknown> = {};
  for (const { name, kind } of editGroups(type).flatMap((group) => group.fields)) {
    const [was, is] = [trimmed(before[name]), trimmed(after[name])];
    if (was === is) continue;
    if (kind === "money" && readAmount(was) !== undefined && readAmount(was) === readAmount(is))
      continue;
    edit[name] = is === "" ? null : wireValue(name, kind === "money", is);
  }
  if (!sameItems(before.chargebacks, after.chargebacks)) {
    edit.chargebacks = after.chargebacks.map(itemOf);
  }
  if (edit.status === "rejected") edit.reason = trimmed(after.reason);
  return edit as EditReport;
}

function wireValue(name: EditFieldName, isMoney: boolean, text: string): unknown {
  if (isMoney) return readAmount(text) ?? text;
  return name === "verified" ? text === "true" : text;
}

/** An additional chargeback in the format of the request. The server computes its total. */
function itemOf(values: ItemValues): Item {
  const given = ITEM_FIELDS.map((name) => [name, trimmed(values[name])] as const).filter(
    ([, text]) => text !== "",
  );
  return Object.fromEntries(
    given.map(([name, text]) => [name, isMoney(name) ? (readAmount(text) ?? text) : text]),
  ) as Item;
}

function sameItems(a: readonly ItemValues[], b: readonly ItemValues[]): boolean {
  return JSON.stringify(a.map(itemOf)) === JSON.stringify(b.map(itemOf));
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number") return value.toFixed(2);
  return String(value);
}

function trimmed(text: string | undefined): string {
  return (text ?? "").trim();
}

/** The type cannot change, totals are computed, and the list has its own part. */
const NOT_ENTERED = ["report_type", "total_due", "chargebacks"] as const;
type NotEntered = (typeof NOT_ENTERED)[number];

/** Fields of the form: those of the catalogue, and those about the report's status. */
export type EditFieldName = Exclude<ReportField, NotEntered> | "status" | "verified" | "reason";

export interface EditField {
  readonly name: EditFieldName;
  readonly kind: FieldKind;
  readonly options: readonly (readonly [code: string, label: string])[];
}

export interface EditGroup {
  readonly title: string;
  readonly fields: readonly EditField[];
}

const GROUPS: readonly ConsoleGroup[] = [
  "person",
  "matter",
  "amounts",
  "check",
  "card",
  "reporter",
];
const STATUS: readonly EditField[] = [
  { name: "status", kind: "choice", options: Object.entries(REPORT_STATUSES) },
  {
    name: "verified",
    kind: "choice",
    options: [
      ["true", "Yes"],
      ["false", "No"],
    ],
  },
];

/** The form's fields for this type of report, by group. */
export function editGroups(type: ReportType): readonly EditGroup[] {
  const isEntered = (row: FieldRow) => row.editedInAll === true || belongsTo(row, type);
  const beside = fieldsWhere((row) => row.besideStatus === true && isEntered(row));
  const standing = leadingFirst<ReportField>(beside, ["resolution_status"]).flatMap(entered);
  const others = GROUPS.map((group) => ({
    title: GROUP_TITLES[group],
    fields: groupFields(group, (row) => !row.besideStatus && isEntered(row)).flatMap(entered),
  }));
  return [
    { title: "Status", fields: [...STATUS, ...standing] },
    ...others.filter(({ fields }) => fields.length > 0),
  ];
}

function entered(name: ReportField): EditField[] {
  const row = REPORT_ROWS[name];
  return isEditable(name) ? [{ name, kind: row.kind, options: choicesOf(row) }] : [];
}

function isEditable(name: ReportField): name is Exclude<ReportField, NotEntered> {
  return !(NOT_ENTERED as readonly ReportField[]).includes(name);
}

/**
 * Whether the field cannot be cleared, because a report of this type requires it or gives it a
 * default.
 */
export function isRequired(name: string, type: ReportType): boolean {
  return (
    STATUS.some((field) => field.name === name) ||
    rowOf(name)?.filled === true ||
    isNeeded(name, type)
  );
}
