import { DomainError } from "#contracts/domain-error.ts";
import type { ReportEvent } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { given } from "#contracts/given.ts";
import { UNDO_MS } from "#contracts/report/reporter-rules.ts";
import type { ReportStatus } from "#contracts/report/words.ts";
import type { Revision } from "#event-store/port.ts";
import type { Moment } from "../kernel/command.ts";
import type { PreparedReportCommand } from "./report.commands.ts";
import { existing } from "./report.decider.ts";

/** The decision that a report has now. */
export interface LastDecision {
  readonly revision: Revision;
  /** The status before it. */
  readonly from: ReportStatus;
  /** Id of the account that decided. */
  readonly by: string;
  /** RFC 3339, UTC. */
  readonly at: string;
  /** The question that it closed. */
  readonly question_id?: string;
}

/**
 * Decides that a moderator takes a decision back. Only the last thing that happened to the report can
 * be taken back, only by whoever did it, and only before anybody is told of it. A report that had been
 * decided before is decided again instead: its former reason and address are not copied.
 */
export function undoDecision(
  state: ReportState | undefined,
  { decision, accountId }: Extract<PreparedReportCommand, { type: "UndoDecision" }>,
  { now }: Moment,
): ReportEvent[] {
  const { status, verified } = existing(state);
  if (!decision) throw refusal("Something else has happened to the report since");
  const { from, by, at, revision, question_id } = decision;
  if (by !== accountId) throw refusal("Someone else has decided this report");
  if (from !== "pending" && from !== "under_review")
    throw refusal("The report was already decided. Decide it again instead");
  if (Date.parse(now) - Date.parse(at) > UNDO_MS)
    throw refusal(`A decision can be undone for ${UNDO_MS / 1000} seconds`);
  const undoes = { revision, ...given({ question_id }) };
  return [{ type: "ReportStatusSet", data: { from: status, to: from, verified, undoes } }];
}

function refusal(sentence: string): DomainError {
  return new DomainError("not_undoable", sentence);
}
