import { DomainError } from "#contracts/domain-error.ts";
import type { ReportEvent } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import type { PutBack, TakeDown } from "./report.commands.ts";

/**
 * Takes a report, or a published copy of its evidence, out of public view for a notice. Nothing is destroyed.
 * Once more for the same notice changes nothing.
 */
export function takeDown(
  report: ReportState,
  { noticeId: notice_id, copyId: copy_id, reason }: TakeDown,
): ReportEvent[] {
  const why = reason === undefined ? {} : { personal: { reason } };
  if (copy_id !== undefined) {
    const copy = report.copies.find((each) => each.copy_id === copy_id);
    if (copy?.holds.includes(notice_id)) return [];
    if (!copy || copy.hidden || copy.erased)
      throw new DomainError("not_found", "There is no such picture");
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

/**
 * Ends the hold of a notice. The report or the copy can be seen again when no other notice holds it.
 * @param command `slug` where the report needs a new address.
 */
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
  // Undoing a deletion is a decision about the report too.
  const to = holds.length === 1 && status !== "deleted" ? "approved" : "under_review";
  const address = to === "approved" && slug !== undefined ? { personal: { slug } } : {};
  return [{ type: "ReportPutBack", data: { notice_id, to, verified, ...address } }];
}

/** While a notice holds a report, only what is decided about the notice changes its status. */
export function refuseHeld({ holds }: Pick<ReportState, "holds">): void {
  if (holds.length > 0)
    throw new DomainError(
      "held_by_notice",
      "A copyright notice applies to this report. Decide the notice instead.",
    );
}
