import { DomainError, refusalOf } from "#contracts/domain-error.ts";
import type { ReportEvent } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import {
  openQuestion,
  type ReporterQuestion,
} from "#contracts/events/report/reporter-questions.ts";
import { MAX_NOTES, QUESTION_DAYS, whyNotAsked } from "#contracts/report/reporter-rules.ts";
import { linkFrom, type Moment } from "../kernel/command.ts";
import type { CommandOf } from "./report.commands.ts";
import { linkInvalid, requireExisting } from "./report.decider.ts";

/** Asks the reporter a question. Only goes to a confirmed address, because it may quote the report. */
export function askReporter(
  state: ReportState | undefined,
  { body }: CommandOf<"AskReporter">,
  moment: Moment,
): ReportEvent[] {
  const report = requireExisting(state);
  const { holds, reporter, ...facts } = report;
  const askable = { ...facts, isHeld: holds.length > 0, hasReporter: Boolean(reporter) };
  const refusal = whyNotAsked(askable, moment.now);
  if (refusal) throw new DomainError("not_askable", refusal);
  const personal = { question: body.question };
  return [
    {
      type: "ReporterAsked",
      data: { link: linkFrom(moment, QUESTION_DAYS * 86_400_000), personal },
    },
  ];
}

/** Withdraws the open question. */
export function withdrawQuestion(state: ReportState | undefined): ReportEvent[] {
  const open = openQuestion(requireExisting(state).questions);
  if (!open) throw new DomainError("not_askable", "No question is awaiting an answer");
  const { question_id } = open;
  return [{ type: "ReporterQuestionWithdrawn", data: { question_id } }];
}

/** Why a question can no longer be answered. */
const CLOSED: Readonly<Record<Exclude<ReporterQuestion["state"], "open">, string>> = {
  answered: "This question has already been answered",
  withdrawn: "This question was withdrawn. You don't need to answer it anymore",
  closed: "We've already made a decision on this report, so you don't need to answer",
};

/** Records the reporter's answer; each question accepts one. */
export function answerQuestion(
  state: ReportState | undefined,
  { questionId: question_id, answer }: CommandOf<"AnswerQuestion">,
  { now }: Moment,
): ReportEvent[] {
  if (!state?.reporter || state.status === "deleted") throw linkInvalid();
  const asked = state.questions.find((each) => each.question_id === question_id);
  if (!asked || asked.expires_at <= now) throw linkInvalid();
  if (asked.state !== "open") throw new DomainError("question_closed", CLOSED[asked.state]);
  return [{ type: "ReporterAnswered", data: { question_id, reporter: { answer } } }];
}

/** Adds a moderator's note for the others; nothing else changes. */
export function writeNote(
  state: ReportState | undefined,
  { body: { note } }: CommandOf<"WriteNote">,
): ReportEvent[] {
  if (requireExisting(state).moderator_notes.length >= MAX_NOTES)
    throw refusalOf({ note: `A report can have at most ${MAX_NOTES} notes` });
  return [{ type: "ModeratorNoteWritten", data: { personal: { note } } }];
}
