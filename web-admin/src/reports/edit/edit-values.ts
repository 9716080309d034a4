import type { EditReport } from "#contracts/http/moderation.ts";
import type { ChargebackField } from "#contracts/report/catalogue.ts";
import { AMOUNTS, type Amounts, CHARGEBACK_AMOUNTS } from "#contracts/report/derive/amounts.ts";
import { isMoney } from "#contracts/report/derive/fields.ts";
import { fromCents, readAmount, toCents } from "#contracts/report/money.ts";
import { type AmountCents, totalDueCents } from "#contracts/report/submission-rules.ts";
import type { ReportType } from "#contracts/report/words.ts";
import { CHARGEBACK_ORDER } from "../record/field-groups.ts";
import type { ShownReport } from "../record/record-fields.ts";
import { type EditFieldName, editGroups } from "./edit-fields.ts";

/** Fields of an additional chargeback that can be entered. Its total is computed. */
export type ItemFieldName = Exclude<ChargebackField, "total_due">;
export const ITEM_FIELDS = CHARGEBACK_ORDER.filter(
  (name): name is ItemFieldName => name !== "total_due",
);
/** An additional chargeback in the form: texts, empty where there is no value. */
export type ItemValues = Record<ItemFieldName, string>;

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
