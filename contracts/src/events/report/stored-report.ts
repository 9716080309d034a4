import { type Static, Type } from "typebox";
import type { FullReport } from "../../http/report-view.ts";
import { CalendarDate, codes, strict } from "../../report/fields.ts";
import { fromCents } from "../../report/money.ts";
import { CHARGEBACK_REASONS, CHECK_REASONS } from "../../report/reasons.ts";
import { chargebackTotal, totalDueCents } from "../../report/submission-rules.ts";
import {
  COUNTRIES,
  CURRENCIES,
  RESOLUTION_STATUSES,
  SHIPPING_STATUSES,
} from "../../report/words.ts";
import { defineEvent } from "../definition.ts";
import { OneTimeLink } from "../one-time-link.ts";
import type { ReportState } from "./report-fold.ts";
import { reportIn } from "./report-texts.ts";

/** An amount of money in hundredths of its currency's unit. */
const Cents = Type.Integer({ minimum: 0, maximum: 999_999_999_999 });
const Text = Type.String({ minLength: 1 });

/** Clear half of one additional chargeback; `personal.chargebacks[i]` is the other half. */
const ClearChargeback = strict({
  amount_cents: Cents,
  date: Type.Optional(CalendarDate),
  reason: Type.Optional(codes(CHARGEBACK_REASONS)),
  chargeback_fee_cents: Type.Optional(Cents),
  other_fees_cents: Type.Optional(Cents),
  resolution_status: Type.Optional(codes(RESOLUTION_STATUSES)),
});

const PersonalChargeback = strict({
  order_id: Type.Optional(Text),
  first_6: Type.Optional(Text),
  last_4: Type.Optional(Text),
  notes: Type.Optional(Text),
});

/* A report as stored in events. Fields that not every report has are optional. */

/** Fields that are readable in the log: type, amounts, dates, codes. */
export const clearFields = {
  currency: Type.Enum([...CURRENCIES]),
  amount_cents: Type.Optional(Cents),
  check_amount_cents: Type.Optional(Cents),
  chargeback_fee_cents: Type.Optional(Cents),
  other_fees_cents: Type.Optional(Cents),
  transaction_date: Type.Optional(CalendarDate),
  chargeback_date: Type.Optional(CalendarDate),
  check_date: Type.Optional(CalendarDate),
  chargeback_reason: Type.Optional(codes(CHARGEBACK_REASONS)),
  check_reason: Type.Optional(codes(CHECK_REASONS)),
  shipping_status: Type.Optional(codes(SHIPPING_STATUSES)),
  resolution_status: codes(RESOLUTION_STATUSES),
  chargebacks: Type.Array(ClearChargeback, { maxItems: 50 }),
};

/** The reported person's part. Limits apply to new values on the wire; here every value once accepted passes. */
export const personalFields = {
  first_name: Text,
  last_name: Text,
  middle_initial: Type.Optional(Text),
  title: Text,
  description: Text,
  email: Type.Optional(Text),
  phone: Type.Optional(Text),
  item_purchased: Type.Optional(Text),
  tracking_number: Type.Optional(Text),
  ip_address: Type.Optional(Text),
  street_address: Type.Optional(Text),
  city: Text,
  state: Text,
  zip: Text,
  country: codes(COUNTRIES),
  notes: Type.Optional(Text),
  first_6: Type.Optional(Text),
  last_4: Type.Optional(Text),
  check_number: Type.Optional(Text),
  bank_name: Type.Optional(Text),
  bank_routing: Type.Optional(Text),
  bank_account: Type.Optional(Text),
  chargebacks: Type.Array(PersonalChargeback, { maxItems: 50 }),
};

/** The reporter's part. `public_username` is the company name shown to the public. */
export const reporterFields = {
  reporter_first_name: Text,
  reporter_last_name: Text,
  reporter_email: Text,
  reporter_phone: Type.Optional(Text),
  reporter_company_name: Type.Optional(Text),
  public_username: Type.Optional(Text),
};

export const ClearReport = strict(clearFields);
export type ClearReport = Static<typeof ClearReport>;

export const PersonalReport = strict(personalFields);
export type PersonalReport = Static<typeof PersonalReport>;

export const ReporterReport = strict(reporterFields);
export type ReporterReport = Static<typeof ReporterReport>;

const Hashes = Type.Optional(Type.Array(Text, { minItems: 1 }));

/** Keyed hashes of details by which two reports can name the same person. `card` has one per card of the report. */
export const BlindIndexes = strict({
  email: Hashes,
  phone: Hashes,
  card: Hashes,
  bank_account: Hashes,
  street_zip: Hashes,
});
export type BlindIndexes = Static<typeof BlindIndexes>;

/**
 * Keyed hash of the reporter's address, under the name `reporter_email`, so it never equals a reported person's
 * hash.
 */
export const ReporterBlindIndexes = strict({ email: Text });
export type ReporterBlindIndexes = Static<typeof ReporterBlindIndexes>;

/** Slug of the report's public page. */
export const Slug = Type.String({ pattern: "^[a-z-]+(-[0-9]+)?$" });

/** Converts a report to wire names and decimal amounts, unmasked. A bad check's `amount` is its `check_amount`. */
export function toWire(
  state: Pick<ReportState, "report_type" | "clear" | "personal" | "reporter">,
): FullReport {
  const { clear, personal, reporter, report_type } = state;
  const wire: Record<string, unknown> = {
    report_type,
    ...decimals(clear),
    ...personal,
    ...reporter,
    total_due: fromCents(totalDueCents(report_type, clear, clear.chargebacks)),
    chargebacks: clear.chargebacks.map((item, i) => ({
      ...decimals(item),
      ...personal?.chargebacks[i],
      total_due: fromCents(chargebackTotal(item)),
    })),
  };
  if (report_type === "bad_check") wire.amount = wire.check_amount;
  return wire as FullReport;
}

/** `{ amount_cents: 41250 }` -> `{ amount: 412.5 }`; everything else unchanged. */
function decimals(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) =>
      name.endsWith("_cents") ? [name.slice(0, -"_cents".length), fromCents(value)] : [name, value],
    ),
  );
}

/**
 * Someone reported a person and agreed to the terms. They were emailed a confirmation link, unless
 * their address was already confirmed. The report gets its public address only when it is approved.
 */
export const ReportSubmitted = defineEvent(
  "ReportSubmitted",
  1,
  strict({
    report_type: Type.Enum(["chargeback", "bad_check"]),
    terms_version: Type.String({ minLength: 1 }),
    report: ClearReport,
    link: Type.Optional(OneTimeLink),
  }),
  {
    personal: strict({ report: PersonalReport, blind: BlindIndexes }),
    reporter: strict({ report: ReporterReport, blind: ReporterBlindIndexes }),
  },
  {
    required: ["personal", "reporter"],
    texts: { personal: reportIn("report"), reporter: reportIn("report") },
  },
);

/** The submitter replaced an unconfirmed address. Links emailed to the previous address are void. */
export const ReporterAddressCorrected = defineEvent(
  "ReporterAddressCorrected",
  1,
  /** Confirms the new address. */
  strict({ link: OneTimeLink }),
  { reporter: strict({ email: Type.String({ minLength: 1 }), blind: ReporterBlindIndexes }) },
  { required: ["reporter"] },
);

/** The reader of the report's emails turned decision emails on or off. Applies until the report has another address. */
export const ReporterNotificationsSet = defineEvent(
  "ReporterNotificationsSet",
  1,
  strict({
    by: Type.Enum(["unsubscribe_link", "status_link"]),
    decisions: Type.Boolean(),
  }),
  {},
);

export const reportSubmittedDefinitions = [
  ReportSubmitted,
  ReporterAddressCorrected,
  ReporterNotificationsSet,
] as const;
