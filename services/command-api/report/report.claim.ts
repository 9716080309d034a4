import { DomainError } from "#contracts/domain-error.ts";
import type { ReportEvent } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { ownAddress } from "#search/matching.ts";
import type { ClaimReport, DisownReport } from "./report.commands.ts";

/** Claims a report, once, for the account that confirmed its address. Every refusal looks the same. */
export function claim(
  report: ReportState | undefined,
  { accountId: account_id, email, isVisitors }: ClaimReport,
): ReportEvent[] {
  if (!report || report.status === "deleted" || !report.personal || !report.reporter)
    throw notFound();
  if (report.claimed_by === account_id) return [];
  const isSame = ownAddress(report.reporter.reporter_email) === ownAddress(email);
  if (report.claimed_by || !isVisitors || !report.address_confirmed || !isSame) throw notFound();
  return [{ type: "ReportClaimed", data: { account_id } }];
}

/** Removes a report from the account that claimed it or, if unclaimed, from the one that submitted it. */
export function disown(
  report: ReportState | undefined,
  { accountId: account_id, submittedBy, cause }: DisownReport,
): ReportEvent[] {
  if (!report?.reporter || report.status === "deleted") return [];
  const { claimed_by, disowned } = report;
  const isItsOwn =
    cause === "session_over"
      ? !claimed_by && !disowned && submittedBy === account_id
      : claimed_by === account_id;
  return isItsOwn ? [{ type: "ReportDisowned", data: { account_id, cause } }] : [];
}

/** The error for a report that isn't the caller's, whether or not it exists. */
export function notFound(): DomainError {
  return new DomainError("report_not_found", "Report not found");
}
