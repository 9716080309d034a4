import type { ReportField } from "#contracts/report/catalogue.ts";
import { FIELD_LABELS, isMoney, rowOf } from "#contracts/report/derive/fields.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { reasonLabel } from "#contracts/report/reasons.ts";
import {
  COUNTRIES,
  DELETION_REASONS,
  REPORT_STATUSES,
  REPORT_TYPES,
  RESOLUTION_STATUSES,
  SHIPPING_STATUSES,
  US_STATES,
} from "#contracts/report/words.ts";
import { counted, formatDate } from "./formats.ts";

/** The form speaks to the reporter; the console speaks about him. */
const CONSOLE_LABELS: Readonly<Record<string, string>> = {
  ...FIELD_LABELS,
  reporter_first_name: "Reporter's first name",
  reporter_last_name: "Reporter's last name",
  reporter_email: "Reporter's email",
  reporter_phone: "Reporter's phone",
  reporter_company_name: "Reporter's company",
  status: "Status",
  verified: "Email verified",
};

const TABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  report_type: REPORT_TYPES,
  shipping_status: SHIPPING_STATUSES,
  country: COUNTRIES,
  resolution_status: RESOLUTION_STATUSES,
  status: { ...REPORT_STATUSES, deleted: "Deleted" },
};

const REASONS = new Set<string>(["chargeback_reason", "check_reason", "reason"] satisfies (
  | ReportField
  | "reason"
)[]);

/** What a person reads as a field's name. */
export function fieldLabel(field: string): string {
  return CONSOLE_LABELS[field] ?? rowOf(field)?.label ?? sentenceCase(field);
}

/** A field's name inside a sentence: "chargeback fee", but "ZIP" and "IP addresses". */
export function fieldInSentence(field: string): string {
  if (field === "amount") return "amount";
  const label = fieldLabel(field);
  return /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
}

/** A field's value in words; "Not given" for what is absent. */
export function valueText(field: string, value: unknown, currency = "USD"): string {
  if (value === undefined || value === null || value === "") return "Not given";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") {
    return isMoney(field) ? formatMoney(value, currency) : String(value);
  }
  if (Array.isArray(value))
    return value.length === 0 ? "None" : counted(value.length, "entry", "entries");
  if (typeof value !== "string") return JSON.stringify(value);
  if (rowOf(field)?.kind === "date" && /^\d{4}-\d{2}-\d{2}$/.test(value)) return formatDate(value);
  if (REASONS.has(field)) return labelOf({}, value, reasonLabel(value));
  return labelOf(TABLES[field] ?? {}, value, value);
}

/** "Colorado (CO)" for a state of the US; the code itself elsewhere. */
export function stateText(state: string, country: string): string {
  const name = (US_STATES as Readonly<Record<string, string>>)[state];
  return country === "US" && name ? `${name} (${state})` : state;
}

export function deletionReasonText(code: string): string {
  return labelOf(DELETION_REASONS, code, sentenceCase(code));
}

/** Who acts, as a word: "Administrator", "Auditor", "Account", "Visitor", "System". */
export function roleText(role: string): string {
  const roles = {
    admin: "Administrator",
    auditor: "Auditor",
    user: "Account",
    visitor: "Visitor",
    system: "System",
  };
  return labelOf(roles, role, sentenceCase(role));
}

/** `approve_report`, `ApproveReport` and `approve-report` all read "Approve report". */
export function sentenceCase(code: string): string {
  const words = code
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function labelOf(table: Readonly<Record<string, string>>, code: string, otherwise: string): string {
  return Object.hasOwn(table, code) ? (table[code] as string) : otherwise;
}
