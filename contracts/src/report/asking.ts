import type { ReporterQuestion } from "../events/report/question-fold.ts";
import { MOST_QUESTIONS } from "./reporter-rules.ts";
import { REPORT_STATUSES, type ReportStatus } from "./words.ts";

/** What decides whether a report's reporter can be asked. */
export interface Askable {
  readonly status: ReportStatus;
  /** A notice keeps it from being public. */
  readonly isHeld: boolean;
  /** Its reporter is not erased. */
  readonly hasReporter: boolean;
  /** A link of a mail confirmed the reporter's present address. That a moderator vouched for it is not enough. */
  readonly address_confirmed: boolean;
  readonly questions: readonly ReporterQuestion[];
}

/** Why nobody is asked at an address that its owner has not confirmed. */
export const NOT_CONFIRMED = "The reporter has not confirmed the address by its link";

/**
 * Why a moderator cannot ask the reporter now, a sentence without its full stop; undefined when they can.
 * @param now RFC 3339, UTC.
 */
export function whyNotAsked(report: Askable, now: string): string | undefined {
  const { status, isHeld, hasReporter, address_confirmed, questions } = report;
  if (isHeld) return "A copyright notice holds this report";
  if (status !== "pending" && status !== "under_review")
    return `The report is ${REPORT_STATUSES[status].toLowerCase()} already`;
  if (!hasReporter) return "The reporter is erased";
  if (!address_confirmed) return NOT_CONFIRMED;
  if (waitsForAnswer(questions, now)) return "Another question waits for its answer";
  if (questions.length >= MOST_QUESTIONS) return `${MOST_QUESTIONS} questions were asked already`;
  return undefined;
}

/** Whether the report waits for the reporter: nobody waits for an answer that cannot come any more. */
function waitsForAnswer(questions: readonly ReporterQuestion[], now: string): boolean {
  return questions.some(({ state, expires_at }) => state === "open" && expires_at > now);
}
