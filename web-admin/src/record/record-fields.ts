import type {
  ChargebackField,
  ConsoleGroup,
  FieldRow,
  FormSection,
  ReportField,
} from "#contracts/report/catalogue.ts";
import {
  AMOUNTS,
  type AmountField,
  type Amounts,
  CHARGEBACK_AMOUNTS,
} from "#contracts/report/derive/amounts.ts";
import {
  CHARGEBACK_FIELDS,
  CHARGEBACK_ROWS,
  fieldsWhere,
  REPORT_ROWS,
  typeOf,
} from "#contracts/report/derive/fields.ts";
import { visibility } from "#contracts/report/derive/visibility.ts";
import { maskCard } from "#contracts/report/masks.ts";
import { isFreeText, ownNumbers } from "#contracts/report/private-text/private-texts.ts";
import type { Field } from "../shared/FieldList.tsx";
import { fieldLabel, valueText } from "../shared/labels.ts";

/** A report on any screen: masked, revealed, or as of a revision. Missing values are undefined. */
export type ShownReport = Readonly<Record<string, unknown>>;

interface RecordFields {
  /** Title, description and notes, which need more than one line. */
  readonly texts: readonly Field[];
  /** All other fields, from the person to the reporter. */
  readonly facts: readonly Field[];
}

/** Fields shown in another field's cell. */
const JOINED: readonly ReportField[] = [
  "middle_initial",
  "last_name",
  "state",
  "country",
  "last_4",
];

/** @param opened whether the values include the revealed data. If not, hidden fields are left out. */
export function recordFields(report: ShownReport, opened: boolean): RecordFields {
  const type = typeOf(report.report_type);
  const isText = (name: ReportField) => name === "title" || REPORT_ROWS[name].kind === "prose";
  const names = GROUPS.filter((group) => group !== "amounts").flatMap((group) =>
    groupFields(group, ({ only = type }) => only === type),
  );
  const fields = (of: readonly ReportField[]) =>
    of.flatMap((field) => fieldOf(field, report, opened));
  return {
    texts: fields(names.filter(isText)),
    facts: fields(names.filter((name) => !isText(name) && !JOINED.includes(name))),
  };
}

/** Whether moderators only see the field after a reveal. */
export function isHiddenField(name: ReportField): boolean {
  return visibility[name].moderator === "hidden";
}

function fieldOf(name: ReportField, report: ShownReport, opened: boolean): Field[] {
  if (name === "first_6") return cardField(report);
  if (name === "first_name")
    return joinedField("Name", report, ["first_name", "middle_initial", "last_name"], " ");
  if (name === "city") return joinedField("Place", report, ["city", "state", "country"], ", ");
  const value = report[name];
  const given = value !== undefined && value !== null && value !== "";
  // On an erased report, no value counts as missing.
  const isErased = report.first_name === undefined;
  const isShown = (REPORT_ROWS[name].missed && !isErased) || (opened && isHiddenField(name));
  if (!given && !isShown) return [];
  const kept = opened && visibility[name].moderator !== "clear";
  const text = valueText(name, value);
  const marks = marksOf(REPORT_ROWS[name], kept, ownNumbers(report));
  return [{ label: fieldLabel(name), value: text, kept, ...marks }];
}

/**
 * Returns `own` if private text in the field is to be marked: in texts that everyone reads, and in prose. Other
 * hidden fields are meant for private values.
 * @param own the report's own order and tracking numbers.
 */
export function marksOf(row: FieldRow, kept: boolean, own: readonly string[]): Pick<Field, "own"> {
  return !isFreeText(row) || row.own || (kept && row.kind !== "prose") ? {} : { own };
}

/** Combines values in one cell, e.g. "Quinn Ames" or "Denver, CO, US". */
function joinedField(
  label: string,
  report: ShownReport,
  names: readonly ReportField[],
  between: string,
): Field[] {
  const value = names
    .map((name) => report[name])
    .filter((part) => typeof part === "string" && part !== "")
    .join(between);
  return value ? [{ label, value, own: ownNumbers(report) }] : [];
}

/** Combines a card's first and last digits in one field. */
export function cardField({ first_6, last_4 }: ShownReport): Field[] {
  const card = maskCard(textOrNothing(first_6), textOrNothing(last_4));
  return card ? [{ label: "Card number", value: card, isWhole: true }] : [];
}

function textOrNothing(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

interface NamedAmount {
  readonly label: string;
  readonly amount: number;
}

/**
 * Returns a report's main amount and its nonzero fees. With its additional chargebacks, they add up to the total due.
 */
export function amountsOf(report: ShownReport): NamedAmount[] {
  return namedAmounts(AMOUNTS[typeOf(report.report_type)], REPORT_ROWS, report);
}

/** Same as `amountsOf` for an additional chargeback. */
export function chargebackAmounts(item: ShownReport): NamedAmount[] {
  return namedAmounts(CHARGEBACK_AMOUNTS, CHARGEBACK_ROWS, item);
}

function namedAmounts(
  { main, fees }: Amounts,
  rows: Readonly<Partial<Record<AmountField, FieldRow>>>,
  given: ShownReport,
): NamedAmount[] {
  return [main, ...fees.filter((fee) => given[fee])].map((name) => ({
    label: rows[name]?.label ?? name,
    amount: Number(given[name] ?? 0),
  }));
}

export const GROUP_TITLES: Readonly<Record<ConsoleGroup, string>> = {
  person: "Reported person",
  matter: "What happened",
  amounts: "Amounts",
  check: "Check",
  card: "Card",
  reporter: "Reporter",
};
/** In display order. */
export const GROUPS = Object.keys(GROUP_TITLES) as readonly ConsoleGroup[];

/** Maps sections of the form to the console's groups, unless a field's row names another one. */
const SECTIONS: Readonly<Record<FormSection, ConsoleGroup>> = {
  report: "matter",
  person: "person",
  address: "person",
  card: "card",
  check: "check",
  amounts: "matter",
  reporter: "reporter",
};

/** Fields that come first in their group. The rest follow in wire format order. */
const LEADING: readonly ReportField[] = [
  ...(["first_name", "middle_initial", "last_name", "email", "phone"] as const),
  ...(["street_address", "city", "state", "zip", "country"] as const),
  ...(["check_number", "check_date", "check_reason"] as const),
  ...(["currency", "amount", "check_amount"] as const),
];
const LEADING_OF_CHARGEBACK: readonly ChargebackField[] = [
  "amount",
  "date",
  "reason",
  "chargeback_fee",
  "other_fees",
  "resolution_status",
];

/** Returns the fields of a group whose rows match, in display order. */
export function groupFields(
  group: ConsoleGroup,
  is: (row: FieldRow) => boolean,
): readonly ReportField[] {
  return leadingFirst(
    fieldsWhere((row) => groupOf(row) === group && is(row)),
    LEADING,
  );
}

/** The fields of an additional chargeback, in display order. */
export const CHARGEBACK_ORDER = leadingFirst(CHARGEBACK_FIELDS, LEADING_OF_CHARGEBACK);

function groupOf({ kind, section, console }: FieldRow): ConsoleGroup | undefined {
  if (kind === "money" || kind === "list") return "amounts";
  return console ?? (section && SECTIONS[section]);
}

export function leadingFirst<F>(fields: readonly F[], leading: readonly F[]): readonly F[] {
  const led = leading.filter((field) => fields.includes(field));
  return [...led, ...fields.filter((field) => !led.includes(field))];
}

/** Returns the first and last name of a reported person. */
export function personName(person: { first_name?: unknown; last_name?: unknown }): string {
  return [person.first_name, person.last_name]
    .filter((part) => typeof part === "string" && part !== "")
    .join(" ");
}
