import type { ReportField } from "./report/fields.ts";

/** Who looks: anybody, a moderator's list or page, a moderator after `reveal`, an auditor. */
export type Audience = "public" | "moderator" | "reveal" | "auditor";
export type Shown = "clear" | "masked" | "hidden";

const row = (pub: Shown, moderator: Shown, auditor: Shown) =>
  ({ public: pub, moderator, reveal: "clear", auditor }) as const satisfies Record<Audience, Shown>;

const open = row("clear", "clear", "clear");
const masked = row("masked", "masked", "masked");
const kept = row("hidden", "hidden", "hidden");

/**
 * The one table that decides who sees which field of a report, once it may be seen at all: the
 * public sees approved reports only. Presenters, projections and the leak tests derive from it.
 */
export const visibility: Readonly<Record<ReportField, Readonly<Record<Audience, Shown>>>> = {
  report_type: open,
  title: open,
  description: open,
  first_name: open,
  last_name: open,
  middle_initial: kept,
  email: masked,
  phone: masked,
  item_purchased: kept,
  tracking_number: open,
  ip_address: kept,
  shipping_status: open,
  street_address: kept,
  city: open,
  state: open,
  zip: kept,
  country: open,
  currency: open,
  amount: open,
  transaction_date: open,
  chargeback_date: open,
  chargeback_reason: open,
  chargeback_fee: open,
  other_fees: open,
  total_due: open,
  resolution_status: open,
  notes: kept,
  /** Of each: amounts, date, reason, resolution in the clear, the card masked, the rest kept. */
  chargebacks: open,
  /** The two are the mask of a card: first 6, stars, last 4. */
  first_6: open,
  last_4: open,
  check_number: kept,
  bank_name: open,
  bank_routing: kept,
  bank_account: masked,
  check_amount: open,
  check_date: open,
  check_reason: open,
  reporter_first_name: kept,
  reporter_last_name: kept,
  reporter_email: row("hidden", "masked", "hidden"),
  reporter_phone: kept,
  reporter_company_name: kept,
  public_username: open,
};

/** Who sees which field of an additional chargeback. */
export const chargebackVisibility: Readonly<Record<string, Readonly<Record<Audience, Shown>>>> = {
  order_id: kept,
  amount: open,
  date: open,
  reason: open,
  first_6: open,
  last_4: open,
  chargeback_fee: open,
  other_fees: open,
  total_due: open,
  resolution_status: open,
  notes: kept,
};
