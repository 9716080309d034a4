import type {
  ChargebackField,
  ConsoleGroup,
  FieldRow,
  FormSection,
  ReportField,
} from "#contracts/report/catalogue.ts";
import { CHARGEBACK_FIELDS, fieldsWhere } from "#contracts/report/derive/fields.ts";

export const GROUP_TITLES: Readonly<Record<ConsoleGroup, string>> = {
  person: "Reported person",
  matter: "What happened",
  amounts: "Amounts",
  card: "Card",
  check: "Check",
  reporter: "Reporter",
};

/** The console's group for each section of the form, unless a field's row names another one. */
const GROUPS: Readonly<Record<FormSection, ConsoleGroup>> = {
  report: "matter",
  person: "person",
  address: "person",
  card: "card",
  check: "check",
  amounts: "matter",
  reporter: "reporter",
};

/** Fields that come first in their group. The others follow in the order of the wire format. */
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

/** The fields of a group whose rows match, from top to bottom. */
export function groupFields(
  group: ConsoleGroup,
  is: (row: FieldRow) => boolean,
): readonly ReportField[] {
  return leadingFirst(
    fieldsWhere((row) => groupOf(row) === group && is(row)),
    LEADING,
  );
}

/** The fields of an additional chargeback, from top to bottom. */
export const CHARGEBACK_ORDER = leadingFirst(CHARGEBACK_FIELDS, LEADING_OF_CHARGEBACK);

function groupOf({ kind, section, console }: FieldRow): ConsoleGroup | undefined {
  if (kind === "money" || kind === "list") return "amounts";
  return console ?? (section && GROUPS[section]);
}

export function leadingFirst<F>(fields: readonly F[], leading: readonly F[]): readonly F[] {
  const led = leading.filter((field) => fields.includes(field));
  return [...led, ...fields.filter((field) => !led.includes(field))];
}
