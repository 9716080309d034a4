import { choicesOf } from "#contracts/report/derive/amounts.ts";
import { FIELD_LABELS, isMoney, rowOf } from "#contracts/report/derive/fields.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { DELETION_REASONS, EXPIRY_REASONS, REPORT_STATUSES } from "#contracts/report/words.ts";
import { counted, formatDate } from "./formats.ts";

const LABELS: Readonly<Record<string, string>> = {
  ...FIELD_LABELS,
  status: "Status",
  verified: "Email verified",
  moderator_notes: "Moderator notes",
  questions: "Questions for the reporter",
  resolution: "Refusal of the letter",
};
const STATUSES = { ...REPORT_STATUSES, deleted: "Deleted" };

/** Returns a field's label. The form's labels address the reporter, the console's are about them. */
export function fieldLabel(field: string): string {
  const label = LABELS[field] ?? rowOf(field)?.label ?? sentenceCase(field);
  return label.replace(/^Your /, "Reporter's ");
}

/** Returns a field's label for use inside a sentence: "chargeback fee", but "ZIP" and "IP addresses". */
export function fieldInSentence(field: string): string {
  if (field === "amount") return "amount";
  return labelInSentence(fieldLabel(field));
}

/** Lowercases a label for use inside a sentence, except for abbreviations. */
export function labelInSentence(label: string): string {
  return /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
}

/** Formats a field's value; "Not given" if it is missing. */
export function valueText(field: string, value: unknown, currency = "USD"): string {
  if (value === undefined || value === null || value === "") return "Not given";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") {
    return isMoney(field) ? formatMoney(value, currency) : String(value);
  }
  if (Array.isArray(value))
    return value.length === 0 ? "None" : counted(value.length, "entry", "entries");
  if (typeof value !== "string") return JSON.stringify(value);
  const row = rowOf(field);
  if (row?.kind === "date" && /^\d{4}-\d{2}-\d{2}$/.test(value)) return formatDate(value);
  const words = field === "status" ? STATUSES : Object.fromEntries(row ? choicesOf(row) : []);
  return labelOf(words, value, value);
}

export function deletionReasonText(code: string): string {
  return labelOf({ ...DELETION_REASONS, ...EXPIRY_REASONS }, code, sentenceCase(code));
}

/** Returns the label of an actor's role: "Admin", "Auditor", "Account", "Visitor" or "System". */
export function roleText(role: string): string {
  const roles = {
    admin: "Admin",
    auditor: "Auditor",
    user: "Account",
    visitor: "Visitor",
    system: "System",
  };
  return labelOf(roles, role, sentenceCase(role));
}

/** Converts `approve_report`, `ApproveReport` and `approve-report` to "Approve report". */
export function sentenceCase(code: string): string {
  const words = code
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the code's label in the table, or `otherwise`. */
export function labelOf(
  table: Readonly<Record<string, string>>,
  code: string,
  otherwise: string,
): string {
  return Object.hasOwn(table, code) ? (table[code] as string) : otherwise;
}
