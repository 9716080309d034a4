import type { ReportEvent } from "#contracts/events/index.ts";
import { reporterFields } from "#contracts/events/report/stored-report.ts";
import { fieldsWhere } from "#contracts/report/derive/fields.ts";
import type { reportFields } from "#contracts/report/fields.ts";
import type { ReportType } from "#contracts/report/words.ts";

/** Values of eight characters and more that nothing else holds: found anywhere, they were leaked. */
export const CANARIES = {
  first_name: "Firstcanary",
  last_name: "Lastcanary",
  title: "Titlecanary of a report",
  description: "Descriptioncanary, told at length.",
  email: "emailcanary@hostcanary.example",
  phone: "+13035550142",
  item_purchased: "Itemcanary Ltd",
  tracking_number: "Trackingcanary-1",
  ip_address: "192.0.2.123",
  street_address: "12 Streetcanary Road",
  city: "Citycanary",
  zip: "ZIPcanary-80202",
  notes: "Notescanary for moderators",
  bank_name: "Bankcanary of Example",
  check_number: "Checkcanary-1042",
  bank_routing: "987654321",
  bank_account: "5550001234567",
  public_username: "Publiccanary Shop",
  reporter_first_name: "Reportercanary",
  reporter_last_name: "Reporterlastcanary",
  reporter_email: "reportercanary@shopcanary.example",
  reporter_phone: "+13035550999",
  reporter_company_name: "Companycanary Inc",
} as const satisfies Partial<Record<keyof typeof reportFields, string>>;
export type CanaryField = keyof typeof CANARIES;

/** Of an additional chargeback; both are kept back from everybody. */
export const ITEM_CANARIES = {
  order_id: "Ordercanary-77",
  notes: "Itemnotescanary of it",
} as const;

/** The submission of a report whose every personal field holds its canary. */
export function canarySubmission(type: ReportType): ReportEvent {
  const foreign: readonly string[] =
    type === "bad_check" ? [] : fieldsWhere(({ only }) => only === "bad_check");
  const entries = Object.entries(CANARIES).filter(([field]) => !foreign.includes(field));
  const reporter = Object.fromEntries(entries.filter(([field]) => field in reporterFields));
  const personal = Object.fromEntries(entries.filter(([field]) => !(field in reporterFields)));
  const amounts =
    type === "bad_check"
      ? { check_amount_cents: 8000, check_date: "2026-06-01", check_reason: "nsf" as const }
      : { amount_cents: 41_250, transaction_date: "2026-05-02" };
  return {
    type: "ReportSubmitted",
    data: {
      report_type: type,
      terms_version: "2026-11-21",
      link: {
        link_id: "0b54e9a2-7a0c-4f0e-9d4e-5d5a1f1f0002",
        expires_at: "2026-11-23T10:00:00.000Z",
      },
      report: {
        currency: "USD",
        resolution_status: "unresolved",
        chargebacks: [{ amount_cents: 1000, other_fees_cents: 50 }],
        ...amounts,
      },
      personal: {
        blind: {},
        report: {
          ...personal,
          state: "CO",
          country: "US",
          middle_initial: "Q",
          chargebacks: [{ ...ITEM_CANARIES, last_4: "9876" }],
          ...(type === "bad_check" ? {} : { first_6: "411111", last_4: "4242" }),
        },
      },
      reporter: { report: reporter },
    },
  } as unknown as ReportEvent;
}
