import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { toWire } from "#contracts/events/report/stored-report.ts";
import { ownNumbers, refusedText } from "#contracts/report/private-text/private-texts.ts";
import type { Problems } from "#contracts/report/submission-rules.ts";
import type { PreparedReportCommand } from "./report.commands.ts";

/** Free texts that commands bring beside a report's own fields, with their names for people. */
export const COMMAND_TEXTS: Readonly<Record<string, string>> = {
  answer: "Answer",
  note: "Note",
  question: "Question",
  reason: "Reason",
};

/** What the texts of a command hold that is never stored, by field. The report's own fields have rules of their own. */
export function commandTextProblems(
  state: ReportState | undefined,
  command: PreparedReportCommand,
): Problems {
  const sent: Readonly<Record<string, unknown>> = {
    ...command,
    ...("body" in command ? command.body : {}),
  };
  const problems: Problems = {};
  for (const [field, label] of Object.entries(COMMAND_TEXTS)) {
    const text = sent[field];
    if (typeof text !== "string") continue;
    const problem = refusedText(label, text, state ? ownNumbers(toWire(state)) : []);
    if (problem) problems[field] = problem;
  }
  return problems;
}
