import type { ReportField } from "#contracts/report/catalogue.ts";
import { visibility } from "#contracts/report/derive/visibility.ts";
import { badCheck, chargeback } from "./reports.ts";

/** Values that stand nowhere else, in every personal field that has room for eight characters. */
export const common = {
  title: "Zqtitlecanary",
  description: "Zqdescriptioncanary",
  first_name: "Zqfirstcanary",
  last_name: "Zqlastcanary",
  email: "zqemailcanary@zqdomaincanary.example",
  phone: "+1 303 555 7319",
  item_purchased: "Zqitemcanary",
  tracking_number: "Zqtrackingcanary",
  ip_address: "203.0.113.77",
  street_address: "17 Zqstreetcanary Lane",
  city: "Zqcitycanary",
  zip: "ZQZIPCANARY",
  notes: "Zqnotescanary",
  reporter_first_name: "Zqrepfirstcanary",
  reporter_last_name: "Zqreplastcanary",
  reporter_email: "zqrepemailcanary@zqrepdomaincanary.example",
  reporter_phone: "+1 303 555 8427",
  reporter_company_name: "Zqrepcompanycanary",
  public_username: "Zqpubliccanary",
} as const;
const checkOnly = {
  check_number: "ZQCHECKNUMBERCANARY",
  bank_name: "Zqbankcanary",
  bank_routing: "918273645",
  bank_account: "ZQACCOUNTCANARY7788",
} as const;
const items = [{ amount: 5, order_id: "Zqordercanary", notes: "Zqitemnotescanary" }];
/** Of a rejection. */
export const REASON = "Zqreasoncanary";

export const chargebackWithCanaries = {
  ...chargeback,
  ...common,
  first_6: "411111",
  chargebacks: items,
};
export const badCheckWithCanaries = { ...badCheck, ...common, ...checkOnly };

/** What must be looked for: the words, and of numbers the digits in a row. */
const tellingOf = (value: string): string[] => {
  const words = value.toLowerCase().match(/zq[a-z]*canary/g) ?? [];
  const digits = value.replace(/\D/g, "");
  return [...words, ...(digits.length >= 8 && words.length === 0 ? [digits] : [])];
};
const all = { ...common, ...checkOnly };
/** Every canary. */
export const everything: readonly string[] = [
  ...Object.values(all),
  ...Object.values(items[0] ?? {}).map(String),
  REASON,
].flatMap(tellingOf);
/** What the visibility table keeps back from the public and from moderators' lists. */
export const kept: readonly string[] = [
  ...Object.entries(all)
    .filter(([field]) => {
      const shown = visibility[field as ReportField];
      return shown.public !== "clear" && shown.moderator !== "clear";
    })
    .flatMap(([, value]) => tellingOf(value)),
  "zqordercanary",
  "zqitemnotescanary",
];

/** The canaries that stand in a text, in whatever case, numbers however they are written. */
export function found(text: string, canaries: readonly string[]): string[] {
  const folded = text.toLowerCase();
  const digits = folded.replace(/[\s().+-]/g, "");
  return canaries.filter((canary) => folded.includes(canary) || digits.includes(canary));
}
