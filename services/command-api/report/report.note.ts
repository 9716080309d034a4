import { DomainError } from "#contracts/domain-error.ts";
import type { ReportEvent } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { MOST_NOTES } from "#contracts/report/reporter-rules.ts";
import type { PreparedReportCommand } from "./report.commands.ts";
import { existing } from "./report.decider.ts";

/** Decides that a moderator writes a note for the others. It changes nothing else of the report. */
export function writeNote(
  state: ReportState | undefined,
  { body: { note } }: Extract<PreparedReportCommand, { type: "WriteNote" }>,
): ReportEvent[] {
  if (existing(state).moderator_notes.length >= MOST_NOTES) {
    const sentence = `A report takes ${MOST_NOTES} notes`;
    throw new DomainError("invalid_request", sentence, { note: sentence });
  }
  return [{ type: "ModeratorNoteWritten", data: { personal: { note } } }];
}
