import type { ReportField } from "#contracts/report/catalogue.ts";
import { REPORT_ROWS } from "#contracts/report/derive/fields.ts";
import { visibility } from "#contracts/report/derive/visibility.ts";
import { ACCOUNT_CANARIES, CANARIES, CANARY_FIELDS, ITEM_CANARIES } from "#test-kit/canaries.ts";
import { badCheck, chargeback } from "./reports.ts";

const canariesOf = (fields: readonly ReportField[]) =>
  Object.fromEntries(fields.map((field) => [field, CANARIES[field]]));
/** Canaries of the fields that both report types have. */
const common = canariesOf(CANARY_FIELDS.filter((field) => !REPORT_ROWS[field].only));
const checkOnly = canariesOf(
  CANARY_FIELDS.filter((field) => REPORT_ROWS[field].only === "bad_check"),
);
const items = [{ ...ITEM_CANARIES, amount: 5 }];
/** The canary of a rejection. */
export const REASON = "Zqreasoncanary";
/** The canary of a moderators' note. */
export const NOTE = "Zqmoderatornotecanary";

export const chargebackWithCanaries = {
  ...chargeback,
  ...common,
  first_6: "411111",
  chargebacks: items,
};
export const badCheckWithCanaries = { ...badCheck, ...common, ...checkOnly };

/** What to search for: the canary words, or else a number's digits without separators. */
const tellingOf = (value: string): string[] => {
  const words = value.toLowerCase().match(/zq[a-z]*canary/g) ?? [];
  const digits = value.replace(/\D/g, "");
  return [...words, ...(digits.length >= 8 && words.length === 0 ? [digits] : [])];
};
/** Every canary of a report. */
export const everything: readonly string[] = [
  ...Object.values(CANARIES),
  ...Object.values(ITEM_CANARIES),
  REASON,
  NOTE,
].flatMap(tellingOf);
/** Every canary of an account, including its password. */
export const ofAccounts: readonly string[] = [
  ...Object.values(ACCOUNT_CANARIES),
  "Zqsecretcanary",
].flatMap(tellingOf);
/** A registration form with a canary in every field. */
export const registration = {
  first_name: ACCOUNT_CANARIES.first_name,
  last_name: ACCOUNT_CANARIES.last_name,
  email: ACCOUNT_CANARIES.email,
  phone: ACCOUNT_CANARIES.phone,
  company_name: ACCOUNT_CANARIES.company,
  website: ACCOUNT_CANARIES.website,
  password: "Zqsecretcanary-1",
  confirmPassword: "Zqsecretcanary-1",
};
/** What the visibility table hides from the public and from moderators' lists. */
export const hiddenCanaries: readonly string[] = [
  ...CANARY_FIELDS.filter((field) => {
    const shown = visibility[field];
    return shown.public !== "clear" && shown.moderator !== "clear";
  }).map((field) => CANARIES[field]),
  ...Object.values(ITEM_CANARIES),
].flatMap(tellingOf);

/** Returns the canaries found in a text, whatever their case or number format. */
export function found(text: string, canaries: readonly string[]): string[] {
  const folded = text.toLowerCase();
  const digits = folded.replace(/[\s().+-]/g, "");
  return canaries.filter((canary) => folded.includes(canary) || digits.includes(canary));
}
