import { PROFILE_FIELDS, type ProfileField } from "#contracts/account/profile-fields.ts";
import type { ChargebackField, FieldRow, ReportField } from "#contracts/report/catalogue.ts";
import {
  CHARGEBACK_FIELDS,
  CHARGEBACK_ROWS,
  REPORT_FIELDS,
  REPORT_ROWS,
} from "#contracts/report/derive/fields.ts";

/** Returns a word that occurs nowhere else and is part of no other word. Wherever it is found, it leaked. */
export function canaryWord(field: string): string {
  return `Zq${field.replaceAll("_", "")}canary`;
}

/** Returns a value that the API accepts; undefined for closed lists and for fields too short for a canary. */
function canaryOf(field: string, { kind, max = 100, digits = 0 }: FieldRow): string | undefined {
  const word = canaryWord(field);
  const number = String(918_273_100 + Object.keys(REPORT_ROWS).indexOf(field));
  switch (kind) {
    case "line":
    case "prose":
      return word.length <= max ? word : undefined;
    case "email":
      return `${word}@${word}.example`;
    case "phone":
      return `+1 ${number}0`;
    case "ip_addresses":
      return "203.0.113.77";
    case "digits":
      return digits === number.length ? number : undefined;
    default:
      return undefined;
  }
}

function canariesOf<F extends string>(
  fields: readonly F[],
  rows: Readonly<Record<F, FieldRow>>,
  name: (field: F) => string = (field) => field,
) {
  const entries = fields.map((field) => [field, canaryOf(name(field), rows[field])] as const);
  return Object.fromEntries(entries.filter(([, value]) => value)) as Readonly<Record<F, string>>;
}

/** A canary for every field that has room for one; a new field gets one automatically. */
export const CANARIES: Readonly<Record<ReportField, string>> = canariesOf(
  REPORT_FIELDS,
  REPORT_ROWS,
);
export const ITEM_CANARIES: Readonly<Record<ChargebackField, string>> = canariesOf(
  CHARGEBACK_FIELDS,
  CHARGEBACK_ROWS,
  (field) => `item_${field}`,
);
/** Names of the fields that have a canary. */
export const CANARY_FIELDS = REPORT_FIELDS.filter((field) => field in CANARIES);

/** A canary for an account's email address and each profile field. */
export const ACCOUNT_CANARIES: Readonly<Record<ProfileField | "email", string>> = {
  ...(Object.fromEntries(
    Object.keys(PROFILE_FIELDS).map((field) => [field, canaryWord(`account_${field}`)]),
  ) as Record<ProfileField, string>),
  phone: "+1 918 273 2990",
  website: `https://${canaryWord("account_website")}.example`,
  email: `${canaryWord("account_email")}@${canaryWord("account_domain")}.example`,
};
