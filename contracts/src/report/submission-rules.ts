import {
  AMOUNTS,
  type AmountField,
  type Amounts,
  CHARGEBACK_AMOUNTS,
  type FeeField,
  type MainAmount,
} from "./derive/amounts.ts";
import { storedName } from "./derive/columns.ts";
import { FIELD_LABELS, fieldsWhere, isMoney, requiredFields, typeOf } from "./derive/fields.ts";
import { toCents } from "./money.ts";
import { isFreeText, refusedTexts } from "./private-text/private-texts.ts";
import { countryOf, postalCodeLabel, regionLabel, regionProblem } from "./regions.ts";
import type { ReportType } from "./words.ts";

/** Messages by wire name of the field; `chargebacks.0.date` for an item of the list. */
export type Problems = Record<string, string>;

/** A payload that a schema may or may not have checked. */
export type Payload = Readonly<Record<string, unknown>>;

/** Trims every text and drops empty ones, so that a form may send all of its fields. */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value)
    .map(([key, v]) => [key, typeof v === "string" ? v.trim() : withoutEmpty(v)] as const)
    .filter(([, v]) => v !== "");
  return Object.fromEntries(entries);
}

/** Returns a message for each missing required field. The form and the server show the same ones. */
export function missingFields(payload: Payload): Problems {
  const type = typeOf(payload.report_type);
  const problems: Problems = {};
  for (const field of requiredFields(type)) {
    if (payload[field] === undefined) problems[field] = `${labelIn(field, payload)} is required`;
  }
  if (payload.terms_accepted !== true) {
    problems.terms_accepted = "You must agree to the terms to submit a report";
  }
  return problems;
}

const DATES = fieldsWhere(({ kind }) => kind === "date");

/**
 * Checks rules that a schema cannot express: across fields, and against the current date.
 * @param latestDate latest valid date, `YYYY-MM-DD`.
 */
export function ruleProblems(payload: Payload, latestDate: string): Problems {
  const problems: Problems = {};
  const type = typeOf(payload.report_type);
  const foreign = fieldsWhere(({ only = type }) => only !== type);
  for (const field of foreign) {
    if (payload[field] !== undefined && payload[field] !== null) {
      const owner = type === "bad_check" ? "chargeback" : "bad check";
      problems[field] = `${FIELD_LABELS[field]} is only for a ${owner} report`;
    }
  }
  for (const field of DATES) {
    const date = payload[field];
    if (typeof date === "string" && date > latestDate) {
      problems[field] = `${FIELD_LABELS[field]} cannot be in the future`;
    }
  }
  placeProblems(payload, problems);
  Object.assign(problems, refusedTexts(payload));
  totalProblems(payload, problems);
  const items = Array.isArray(payload.chargebacks) ? (payload.chargebacks as Payload[]) : [];
  items.forEach((item, i) => {
    if (typeof item.date === "string" && item.date > latestDate) {
      problems[`chargebacks.${i}.date`] = "The date cannot be in the future";
    }
    mustEqual(
      item.total_due,
      [chargebackTotal(inCents(item))],
      `chargebacks.${i}.total_due`,
      problems,
    );
  });
  return problems;
}

/** Checks values whose validity depends on the country. */
function placeProblems({ country, state, bank_routing }: Payload, problems: Problems): void {
  const there = countryOf(country);
  const region = typeof state === "string" ? regionProblem(there, state) : undefined;
  if (region) problems.state = region;
  if (typeof bank_routing === "string" && there === "US" && bank_routing.length !== 9)
    problems.bank_routing = "Enter the 9 digits of the routing number";
}

/** Fields that a change of another field can invalidate. */
const RULED_BY: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    // A text may name the report's own orders.
    fieldsWhere(isFreeText).map((field) => [
      field,
      [...fieldsWhere(({ own }) => own === true), "chargebacks"],
    ]),
  ),
  state: ["country"],
  bank_routing: ["country"],
};

/** Returns the problems caused by changes to these fields. Other fields were accepted before. */
export function problemsOfChange(
  problems: Problems,
  isChanged: (field: string) => boolean,
): Problems {
  const blamed = Object.entries(problems).filter(([path]) => {
    const field = path.split(".")[0] as string;
    return [field, ...(RULED_BY[field] ?? [])].some(isChanged);
  });
  return Object.fromEntries(blamed);
}

/** Returns a field's label, as it is called in the payload's country. */
export function labelIn(field: string, { country }: Payload): string | undefined {
  if (field === "state") return regionLabel(countryOf(country));
  if (field === "zip") return postalCodeLabel(countryOf(country));
  return (FIELD_LABELS as Readonly<Record<string, string>>)[field];
}

/** Checks that a total equals the sum of its amounts. */
function totalProblems(payload: Payload, problems: Problems): void {
  const type = typeOf(payload.report_type);
  // The form's total covers the report's own amounts only; one from a read includes the chargebacks.
  const own = inCents(payload);
  const items = Array.isArray(payload.chargebacks) ? (payload.chargebacks as Payload[]) : [];
  const sums = [dueCents(type, own), totalDueCents(type, own, items.map(inCents))] as const;
  mustEqual(payload.total_due, sums, "total_due", problems);
  if (type === "chargeback") return;
  if (payload.amount !== undefined && payload.amount !== payload.check_amount) {
    problems.amount = "The amount of a bad check is its check amount";
  }
  for (const fee of AMOUNTS.chargeback.fees) {
    if (AMOUNTS.bad_check.fees.includes(fee) || !(Number(payload[fee] ?? 0) > 0)) continue;
    problems[fee] = `A bad check has no ${FIELD_LABELS[fee].toLowerCase()}`;
  }
}

function mustEqual(
  given: unknown,
  sums: readonly [number, ...number[]],
  field: string,
  problems: Problems,
): void {
  if (typeof given !== "number" || sums.includes(toCents(given))) return;
  problems[field] = `The total due must be ${(sums[0] / 100).toFixed(2)}, the sum of its amounts`;
}

/** Returns the amounts of a payload in cents, by stored name. A value that is not an amount is left out. */
export function inCents(payload: Payload): AmountCents {
  const amounts = Object.entries(payload).filter(
    ([name, value]) => isMoney(name) && typeof value === "number",
  );
  return Object.fromEntries(
    amounts.map(([name, value]) => [storedName(name), toCents(value as number)]),
  );
}

type Cents<F extends string> = { readonly [K in `${F}_cents`]?: number | null | undefined };
/** Amounts by their stored names, in integer cents. */
export type FeeCents = Cents<FeeField>;
export type AmountCents = Cents<AmountField>;

/** Returns the amount that a report of the type is about. The fees are added to it. */
export function mainAmount(type: ReportType): MainAmount {
  return AMOUNTS[type].main;
}

/** Returns the sum of a report's fees, in cents. */
export function feesCents(type: ReportType, fees: FeeCents): number {
  return feesOf(AMOUNTS[type], fees);
}

/**
 * Returns a report's total due in cents: its own amounts plus its additional chargebacks. Every total shown is
 * this one.
 */
export function totalDueCents(
  type: ReportType,
  amounts: AmountCents,
  chargebacks: readonly AmountCents[],
): number {
  return chargebacks.reduce((sum, item) => sum + chargebackTotal(item), dueCents(type, amounts));
}

/**
 * Returns the sum of a report's own amounts in cents, without its additional chargebacks. The form sends it as
 * `total_due`.
 */
export function dueCents(type: ReportType, amounts: AmountCents): number {
  return dueOf(AMOUNTS[type], amounts);
}

/** Returns the sum of an additional chargeback's amounts, in cents. */
export function chargebackTotal(amounts: AmountCents): number {
  return dueOf(CHARGEBACK_AMOUNTS, amounts);
}

function dueOf(of: Amounts, amounts: AmountCents): number {
  return (amounts[`${of.main}_cents`] ?? 0) + feesOf(of, amounts);
}

function feesOf({ fees }: Amounts, amounts: FeeCents): number {
  let sum = 0;
  for (const fee of fees) sum += amounts[`${fee}_cents`] ?? 0;
  return sum;
}
