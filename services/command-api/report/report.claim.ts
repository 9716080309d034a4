import { DomainError } from "#contracts/domain-error.ts";
import type { ReportEvent } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { ownAddress } from "#search/matching.ts";
import type { ClaimReport, DisownReport } from "./report.commands.ts";

/** A report is claimed once, from its confirmed address. Every refusal is the same. */
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

/** A report leaves the account that claimed it, or else the one that submitted it. */
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

/** For a report that is none of the caller's, whether it exists or not. */
export function notFound(): DomainError {
  return new DomainError("report_not_found", "Report not found");
}
