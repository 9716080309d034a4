import type { ReportSummary } from "#contracts/http/report-view.ts";

/** What a report's `amount` is called wherever it stands. */
export function amountLabel({ report_type }: Pick<ReportSummary, "report_type">): string {
  return report_type === "bad_check" ? "Check amount" : "Original amount";
}
