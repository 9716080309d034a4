import { DomainError } from "#contracts/domain-error.ts";
import type { ReportEvent } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { isAtOnce, MOST_DELETIONS } from "#contracts/report/reporter-rules.ts";
import type { PreparedReportCommand } from "./report.commands.ts";
import { erasures } from "./report.evidence.ts";

/** What a deletion depends on beside the report itself. */
export interface DeletionStanding {
  /** From when on the report may be erased, RFC 3339. */
  readonly eraseAt: string;
  /** Whether the caller is the second admin: another one, independent of them, asked for the deletion or made it. */
  readonly isSecond: boolean;
  /** Whether the caller may delete this report without a second admin. */
  readonly mayAlone: boolean;
  /** Accounts of the admins who are emailed when the deletion has to wait. */
  readonly told: readonly string[];
}

type CommandOf<T extends PreparedReportCommand["type"]> = Extract<
  PreparedReportCommand,
  { type: T }
>;

/**
 * Hides a report until it is erased. The deletion waits for another admin where the caller has deleted too many
 * within the hour; that admin approves it by deleting the report as well. If two admins delete it for a
 * reason that cannot wait, it is erased at once.
 * @param command without a standing it is only checked, and nothing happens.
 */
export function deleteReport(
  state: ReportState | undefined,
  { body: { reason_code = "other" }, standing }: CommandOf<"DeleteReport">,
): ReportEvent[] {
  const report = notErased(state);
  const { deletion, deletion_requested: requested } = report;
  const isUrgent = deletion !== null && isAtOnce(deletion.reason_code) && isAtOnce(reason_code);
  if (deletion && !isUrgent) throw deleted();
  if (!standing) return [];
  const { eraseAt, isSecond, mayAlone, told } = standing;
  if (deletion && !isSecond)
    throw secondAdminRequired(
      "Only another admin can have this report erased immediately, by deleting it too.",
    );
  if (deletion) return erase(report);
  if (isSecond || mayAlone) return [hidden(report, requested ?? reason_code, eraseAt)];
  if (requested !== null) throw secondAdminRequired();
  return [
    {
      type: "ReportDeletionRequested",
      data: { reason_code, ...(told.length > 0 ? { told: [...told] } : {}) },
    },
  ];
}

/** Takes a deletion back, or a request for one. */
export function undoDeletion(state: ReportState | undefined): ReportEvent[] {
  const { status, deletion, deletion_requested } = notErased(state);
  if (deletion) return [{ type: "ReportDeletionUndone", data: { to: deletion.from } }];
  if (status === "deleted" || deletion_requested === null)
    throw new DomainError("not_undoable", "The report is not deleted");
  return [{ type: "ReportDeletionUndone", data: { to: status } }];
}

/** Hides a report again, where the log does not know that it was deleted. */
export function hideReport(
  state: ReportState | undefined,
  { eraseAt }: CommandOf<"HideReport">,
): ReportEvent[] {
  const report = notErased(state);
  return report.deletion ? [] : [hidden(report, "other", eraseAt)];
}

/** Erases a report now, whether it is hidden or not. */
export function eraseReport(
  state: ReportState | undefined,
  reason_code: string,
  now: string,
): ReportEvent[] {
  const report = notErased(state);
  return [...(report.deletion ? [] : [hidden(report, reason_code, now)]), ...erase(report)];
}

/** The files are named first, so that a reader of erasures learns of each. */
function erase(report: ReportState): ReportEvent[] {
  return [...erasures(report), { type: "ReportErased", data: {} }];
}

function hidden({ status }: ReportState, reason_code: string, erase_at: string): ReportEvent {
  if (status === "deleted") throw deleted();
  return { type: "ReportDeleted", data: { from: status, reason_code, erase_at } };
}

/** The report, also while it is hidden. */
export function notErased(state: ReportState | undefined): ReportState {
  if (!state) throw new DomainError("report_not_found", "Report not found");
  if (state.erased) throw deleted();
  return state;
}

/** The refusal of what is asked of a deleted report. */
export function deleted(): DomainError {
  return new DomainError("report_deleted", "This report was deleted");
}

/** The refusal of a deletion that another admin has to approve. */
export function secondAdminRequired(
  message = `You deleted ${MOST_DELETIONS} reports within an hour, so another admin has to approve this deletion. All admins have been emailed. If there is no other admin, try again in an hour.`,
): DomainError {
  return new DomainError("second_admin_required", message);
}
