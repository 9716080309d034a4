import type { ReportEvent } from "#contracts/events/index.ts";
import { REPORT_ROWS } from "#contracts/report/derive/fields.ts";
import type { ReportType } from "#contracts/report/words.ts";
import { CANARIES, CANARY_FIELDS, ITEM_CANARIES } from "#test-kit/canaries.ts";

/** Returns the submission of a report in which every personal field contains its canary. */
export function canarySubmission(type: ReportType): ReportEvent {
  const ofType = CANARY_FIELDS.filter((field) => (REPORT_ROWS[field].only ?? type) === type);
  const ofPart = (part: "personal" | "reporter") =>
    Object.fromEntries(
      ofType
        .filter((field) => REPORT_ROWS[field].part === part)
        .map((field) => [field, CANARIES[field]]),
    );
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
          ...ofPart("personal"),
          state: "CO",
          country: "US",
          middle_initial: "Q",
          chargebacks: [{ ...ITEM_CANARIES, last_4: "9876" }],
          ...(type === "bad_check" ? {} : { first_6: "411111", last_4: "4242" }),
        },
      },
      reporter: { report: ofPart("reporter"), blind: { email: "keyed hash" } },
    },
  } as unknown as ReportEvent;
}
