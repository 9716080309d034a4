import type {
  ConsoleGroup,
  FieldKind,
  FieldRow,
  ReportField,
} from "#contracts/report/catalogue.ts";
import { belongsTo, choicesOf } from "#contracts/report/derive/amounts.ts";
import {
  fieldsWhere,
  isRequired as isNeeded,
  REPORT_ROWS,
  rowOf,
} from "#contracts/report/derive/fields.ts";
import { REPORT_STATUSES, type ReportType } from "#contracts/report/words.ts";
import { GROUP_TITLES, groupFields, leadingFirst } from "../record/field-groups.ts";

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
