import type { ReportDetail } from "#contracts/http/report-view.ts";
import { maskCard } from "#contracts/report/masks.ts";
import { reasonLabel } from "#contracts/report/reasons.ts";
import {
  COUNTRIES,
  REPORT_TYPES,
  RESOLUTION_STATUSES,
  SHIPPING_STATUSES,
} from "#contracts/report/words.ts";
import { formatDate, formatPlace } from "../../lib/format.ts";

export interface Fact {
  readonly label: string;
  /** "Not given" for what the reporter left out. */
  readonly value: string;
}

export interface FactGroup {
  readonly heading: string;
  readonly facts: readonly Fact[];
}

/** What the public record holds beside texts and amounts, in words that a person reads. */
export function recordFacts(report: ReportDetail): FactGroup[] {
  const isCheck = report.report_type === "bad_check";
  const date = (value: string | undefined) => value && formatDate(value);
  return [
    group("Person", [
      ["Name", `${report.first_name} ${report.last_name}`],
      ["Email", report.email],
      ["Phone", report.phone],
      [
        "Location",
        formatPlace({
          city: report.city,
          state: report.state,
          country: COUNTRIES[report.country],
        }),
      ],
    ]),
    group(
      "Transaction",
      isCheck
        ? [
            ["Type", REPORT_TYPES.bad_check],
            ["Check date", date(report.check_date)],
            ["Reason for the return", report.check_reason && reasonLabel(report.check_reason)],
            ["Shipping status", shipping(report)],
            ["Resolution", RESOLUTION_STATUSES[report.resolution_status]],
          ]
        : [
            ["Type", REPORT_TYPES.chargeback],
            ["Transaction date", date(report.transaction_date)],
            ["Chargeback date", date(report.chargeback_date)],
            [
              "Chargeback reason",
              report.chargeback_reason && reasonLabel(report.chargeback_reason),
            ],
            ["Shipping status", shipping(report)],
            ["Resolution", RESOLUTION_STATUSES[report.resolution_status]],
          ],
    ),
    group(
      "Additional information",
      isCheck
        ? [
            ["Order ID or tracking number", report.tracking_number],
            ["Bank", report.bank_name],
            ["Bank account", report.bank_account],
          ]
        : [
            ["Order ID or tracking number", report.tracking_number],
            ["Card", maskCard(report.first_6, report.last_4)],
          ],
    ),
  ];
}

function shipping(report: ReportDetail): string | undefined {
  return report.shipping_status && SHIPPING_STATUSES[report.shipping_status];
}

function group(heading: string, facts: [string, string | undefined][]): FactGroup {
  return { heading, facts: facts.map(([label, value]) => ({ label, value: value || NOT_GIVEN })) };
}

export const NOT_GIVEN = "Not given";
