import { DomainError } from "#contracts/domain-error.ts";
import type { ReportEvent } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { isImmediate, MAX_DELETIONS, UNDO_MS } from "#contracts/report/reporter-rules.ts";
import type { ReportStatus } from "#contracts/report/words.ts";
import type { Revision } from "#event-store/port.ts";
import type { Moment } from "../kernel/command.ts";
import type { CommandOf, PutBack, TakeDown } from "./report.commands.ts";
import { requireExisting } from "./report.decider.ts";
import { erasures } from "./report.evidence.ts";

/** What a deletion depends on besides the report itself. */
export interface DeletionContext {
  /** Earliest time at which the report may be erased, RFC 3339. */
  readonly eraseAt: string;
  /** Whether the caller is an independent second admin: another one requested the deletion or made it. */
  readonly isSecond: boolean;
  /** Whether the caller may delete this report without a second admin. */
  readonly mayDeleteAlone: boolean;
  /** Accounts of the admins to email if the deletion needs approval. */
  readonly told: readonly string[];
}

/**
 * Hides a report until it is erased. If the caller has deleted too many reports within the hour, the deletion
 * needs another admin, who approves it by deleting the report too. If two admins delete it for an urgent reason,
 * it is erased immediately.
 * @param command without a `context`, it is only checked and nothing happens.
 */
export function deleteReport(
  state: ReportState | undefined,
  { body: { reason_code = "other" }, context }: CommandOf<"DeleteReport">,
): ReportEvent[] {
  const report = notErased(state);
  const { deletion, deletion_requested: requested } = report;
  const isUrgent =
    deletion !== null && isImmediate(deletion.reason_code) && isImmediate(reason_code);
  if (deletion && !isUrgent) throw deleted();
  if (!context) return [];
  const { eraseAt, isSecond, mayDeleteAlone, told } = context;
  if (deletion && !isSecond)
    throw secondAdminRequired(
      "Only another admin can have this report erased immediately, by deleting it too.",
    );
  if (deletion) return erase(report);
  if (isSecond || mayDeleteAlone) return [hidden(report, requested ?? reason_code, eraseAt)];
  if (requested !== null) throw secondAdminRequired();
  return [
    {
      type: "ReportDeletionRequested",
      data: { reason_code, ...(told.length > 0 ? { told: [...told] } : {}) },
    },
  ];
}

/** Undoes a deletion, or withdraws a request for one. */
export function undoDeletion(state: ReportState | undefined): ReportEvent[] {
  const { status, deletion, deletion_requested } = notErased(state);
  if (deletion) return [{ type: "ReportDeletionUndone", data: { to: deletion.from } }];
  if (status === "deleted" || deletion_requested === null)
    throw new DomainError("not_undoable", "The report is not deleted");
  return [{ type: "ReportDeletionUndone", data: { to: status } }];
}

/** Hides a report again if the log has no record of its deletion. */
export function hideReport(
  state: ReportState | undefined,
  { eraseAt }: CommandOf<"HideReport">,
): ReportEvent[] {
  const report = notErased(state);
  return report.deletion ? [] : [hidden(report, "other", eraseAt)];
}

/** Erases a report immediately, hidden or not. */
export function eraseReport(
  state: ReportState | undefined,
  reason_code: string,
  now: string,
): ReportEvent[] {
  const report = notErased(state);
  return [...(report.deletion ? [] : [hidden(report, reason_code, now)]), ...erase(report)];
}

/** File events come first, so that consumers of erasures see each file. */
function erase(report: ReportState): ReportEvent[] {
  return [...erasures(report), { type: "ReportErased", data: {} }];
}

function hidden({ status }: ReportState, reason_code: string, erase_at: string): ReportEvent {
  if (status === "deleted") throw deleted();
  return { type: "ReportDeleted", data: { from: status, reason_code, erase_at } };
}

/** Returns the report, even if hidden. */
export function notErased(state: ReportState | undefined): ReportState {
  if (!state) throw new DomainError("report_not_found", "Report not found");
  if (state.erased) throw deleted();
  return state;
}

/** The error for a command on a deleted report. */
export function deleted(): DomainError {
  return new DomainError("report_deleted", "This report was deleted");
}

/** The error for a deletion that another admin has to approve. */
export function secondAdminRequired(
  message = `You deleted ${MAX_DELETIONS} reports within an hour, so another admin has to approve this deletion. All admins have been emailed. If there is no other admin, try again in an hour.`,
): DomainError {
  return new DomainError("second_admin_required", message);
}

/** The decision currently in force. */
export interface LastDecision {
  readonly revision: Revision;
  readonly from: ReportStatus;
  readonly by: string;
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly question_id?: string;
  /** Why the report was rejected before this decision. */
  readonly reason?: string;
  readonly reason_code?: string;
  /** The original report, if that rejection was for a duplicate. */
  readonly duplicate_of?: string;
  /** Set if the email about that earlier decision had not been sent. */
  readonly untold?: true;
}

/**
 * Undoes a moderator's decision. Only the last thing that happened to the report can be undone, only by the
 * person who did it, and only before anyone is notified.
 */
export function undoDecision(
  state: ReportState | undefined,
  { decision, accountId }: CommandOf<"UndoDecision">,
  { now }: Moment,
): ReportEvent[] {
  const { status, verified } = requireExisting(state);
  if (!decision) throw refusal("The report has changed since that decision");
  const { from, by, at, revision, question_id, reason, reason_code, duplicate_of } = decision;
  const untold = from === status ? undefined : decision.untold;
  if (by !== accountId) throw refusal("Someone else made this decision");
  if (Date.parse(now) - Date.parse(at) > UNDO_MS)
    throw refusal(`A decision can be undone for ${UNDO_MS / 1000} seconds`);
  const data = { from: status, verified, undoes: { revision, ...omitUndefined({ untold }) } };
  if (from === "approved") return [{ type: "ReportApproved", data }];
  if (from === "rejected") {
    const why = omitUndefined({
      reason_code,
      duplicate_of,
      personal: reason ? { reason } : undefined,
    });
    return [{ type: "ReportRejected", data: { ...data, ...why } }];
  }
  const undoes = { ...data.undoes, ...omitUndefined({ question_id }) };
  return [{ type: "ReportStatusSet", data: { ...data, to: from, undoes } }];
}

function refusal(sentence: string): DomainError {
  return new DomainError("not_undoable", sentence);
}

/** Hides a report or a published copy because of a notice. Nothing is destroyed; idempotent per notice. */
export function takeDown(
  report: ReportState,
  { noticeId: notice_id, copyId: copy_id, reason }: TakeDown,
): ReportEvent[] {
  const why = reason === undefined ? {} : { personal: { reason } };
  if (copy_id !== undefined) {
    const copy = report.copies.find((each) => each.copy_id === copy_id);
    if (copy?.holds.includes(notice_id)) return [];
    if (!copy || copy.hidden || copy.erased)
      throw new DomainError("not_found", "Picture not found");
    return [{ type: "EvidenceWithheld", data: { notice_id, copy_id, ...why } }];
  }
  const { holds, status: from, verified } = report;
  if (holds.includes(notice_id)) return [];
  if (from === "deleted") throw new DomainError("report_deleted", "This report was deleted");
  if (from !== "approved" && holds.length === 0)
    throw new DomainError(
      "report_not_public",
      "The report isn't public, so there is nothing to take down.",
    );
  return [{ type: "ReportTakenDown", data: { notice_id, from, verified, ...why } }];
}

/** Ends a notice's hold; without other holds the material is public again. @param command `slug` if it needs one. */
export function putBack(
  { status, holds, copies, verified }: ReportState,
  command: PutBack & { readonly slug?: string | undefined },
): ReportEvent[] {
  const { noticeId: notice_id, copyId: copy_id, slug } = command;
  if (copy_id !== undefined) {
    const copy = copies.find((each) => each.copy_id === copy_id);
    if (!copy?.holds.includes(notice_id)) return [];
    return [{ type: "EvidenceReleased", data: { notice_id, copy_id } }];
  }
  if (!holds.includes(notice_id)) return [];
  // Undoing the deletion is a decision about the report as well.
  const to = holds.length === 1 && status !== "deleted" ? "approved" : "under_review";
  const address = to === "approved" && slug !== undefined ? { personal: { slug } } : {};
  return [{ type: "ReportPutBack", data: { notice_id, to, verified, ...address } }];
}

/** While a notice holds a report, its status changes only through the notice. */
export function rejectIfHeld({ holds }: Pick<ReportState, "holds">): void {
  if (holds.length > 0)
    throw new DomainError(
      "held_by_notice",
      "A copyright notice applies to this report. Decide the notice instead.",
    );
}
