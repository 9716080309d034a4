import {
  type ChargebackField,
  catalogue,
  chargebackCatalogue,
  type FieldRow,
  type ReportField,
} from "../catalogue.ts";
import { REPORT_TYPES, type ReportType } from "../words.ts";

/** The rows under one type, in which absent properties are undefined. */
export const REPORT_ROWS: Readonly<Record<ReportField, FieldRow>> = catalogue;
export const CHARGEBACK_ROWS: Readonly<Record<ChargebackField, FieldRow>> = chargebackCatalogue;

/** Names of all fields, in wire order. */
export const REPORT_FIELDS = Object.keys(catalogue) as ReportField[];
export const CHARGEBACK_FIELDS = Object.keys(chargebackCatalogue) as ChargebackField[];

/** Returns the fields whose rows pass the test, in wire order. */
export function fieldsWhere(is: (row: FieldRow) => boolean): ReportField[] {
  return REPORT_FIELDS.filter((field) => is(REPORT_ROWS[field]));
}

/** Returns the row of a report's field, or else of an additional chargeback's field. */
export function rowOf(field: string): FieldRow | undefined {
  if (Object.hasOwn(REPORT_ROWS, field)) return REPORT_ROWS[field as ReportField];
  if (Object.hasOwn(CHARGEBACK_ROWS, field)) return CHARGEBACK_ROWS[field as ChargebackField];
  return undefined;
}

/** Whether a field, of a report or of an additional chargeback, is an amount of money. */
export const isMoney = (field: string): boolean => rowOf(field)?.kind === "money";

/** Whether a report of this type must have the field. */
export function isRequired(field: string, type: ReportType): boolean {
  const required = rowOf(field)?.required;
  return required === true || required === type;
}

/** Returns the fields that a report of this type must have. */
export function requiredFields(type: ReportType): ReportField[] {
  return fieldsWhere(({ required }) => required === true || required === type);
}

/** Returns the report type that the value names, or `chargeback`. */
export function typeOf(value: unknown): ReportType {
  return Object.hasOwn(REPORT_TYPES, String(value)) ? (value as ReportType) : "chargeback";
}

/** Labels of the fields, on forms and in messages. */
export const FIELD_LABELS = {
  ...Object.fromEntries(REPORT_FIELDS.map((field) => [field, REPORT_ROWS[field].label])),
  terms_accepted: "Terms",
} as Readonly<Record<ReportField | "terms_accepted", string>>;
