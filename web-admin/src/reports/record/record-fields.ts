import type { ConsoleGroup, FieldRow, ReportField } from "#contracts/report/catalogue.ts";
import { REPORT_ROWS, typeOf } from "#contracts/report/derive/fields.ts";
import { visibility } from "#contracts/report/derive/visibility.ts";
import { maskCard } from "#contracts/report/masks.ts";
import { isFreeText, ownNumbers } from "#contracts/report/private-text/private-texts.ts";
import type { Field } from "../../shared/FieldList.tsx";
import { fieldLabel, stateText, valueText } from "../../shared/labels.ts";
import { GROUP_TITLES, groupFields } from "./field-groups.ts";

/**
 * A report on any screen: masked, revealed, or as of a revision. Missing values are not known here.
 */
export type ShownReport = Readonly<Record<string, unknown>>;

export interface FieldGroup {
  readonly title: string;
  readonly fields: readonly Field[];
}

/**
 * A report as groups of named values, split into those before its amounts and those after them.
 * @param opened whether the values include the revealed data. If not, its fields are left out.
 */
export function recordGroups(
  report: ShownReport,
  opened: boolean,
): readonly [before: FieldGroup[], after: FieldGroup[]] {
  const type = typeOf(report.report_type);
  const group = (name: ConsoleGroup): FieldGroup => ({
    title: GROUP_TITLES[name],
    fields: groupFields(name, ({ only = type }) => only === type).flatMap((field) =>
      fieldOf(field, report, opened),
    ),
  });
  const isThere = ({ fields }: FieldGroup) => fields.length > 0;
  const before = [group("person"), group("matter")];
  const after = [group("check"), group("card"), group("reporter")];
  return [before.filter(isThere), after.filter(isThere)];
}

/** Whether moderators see the field only after a reveal. */
export function isKept(name: ReportField): boolean {
  return visibility[name].moderator === "hidden";
}

function fieldOf(name: ReportField, report: ShownReport, opened: boolean): Field[] {
  if (name === "first_6") return cardField(report);
  if (name === "last_4") return [];
  const value = report[name];
  const given = value !== undefined && value !== null && value !== "";
  // An erased report is not missing any values.
  const isErased = report.first_name === undefined;
  const isTold = (REPORT_ROWS[name].missed && !isErased) || (opened && isKept(name));
  if (!given && !isTold) return [];
  const kept = opened && visibility[name].moderator !== "clear";
  const text = textOf(name, value, report);
  const marks = marksOf(REPORT_ROWS[name], kept, ownNumbers(report));
  return [{ label: fieldLabel(name), value: text, kept, ...marks }];
}

/**
 * Places are marked in a text that everyone reads, and in prose. Other fields that are kept back are there for
 * private values.
 * @param own the numbers of the report's own orders and parcels.
 */
export function marksOf(row: FieldRow, kept: boolean, own: readonly string[]): Pick<Field, "own"> {
  return !isFreeText(row) || row.own || (kept && row.kind !== "prose") ? {} : { own };
}

function textOf(name: ReportField, value: unknown, report: ShownReport): string {
  if (name === "state" && typeof value === "string") {
    return stateText(value, String(report.country ?? ""));
  }
  return valueText(name, value);
}

/** The first and last digits of a card in one field. */
export function cardField({ first_6, last_4 }: ShownReport): Field[] {
  const card = maskCard(textOrNothing(first_6), textOrNothing(last_4));
  return card ? [{ label: "Card number", value: card }] : [];
}

function textOrNothing(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
