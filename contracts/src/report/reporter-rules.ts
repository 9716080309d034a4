import { NEW_ROLE_HOURS } from "../account/deadlines.ts";
import type { ReporterQuestion } from "../events/report/reporter-questions.ts";
import { type DeletionReason, REPORT_STATUSES, type ReportStatus } from "./words.ts";

/** Maximum number of times that a report's address can be corrected before it is confirmed. */
export const MAX_CORRECTIONS = 3;

/** Maximum length of a moderator's question to the reporter, in characters. */
export const QUESTION_CHARS = 1000;
/** Maximum length of a moderator's reason, in characters. */
export const REASON_CHARS = 1000;
export const ANSWER_CHARS = 5000;
/** Maximum number of questions about one report. */
export const MAX_QUESTIONS = 10;
/** Days within which a question can be answered. */
export const QUESTION_DAYS = 30;

/** Facts that decide whether a report's reporter can be asked. */
interface Askable {
  readonly status: ReportStatus;
  /** Whether a notice keeps it from being public. */
  readonly isHeld: boolean;
  /** Whether its reporter has not been erased. */
  readonly hasReporter: boolean;
  /** Whether an emailed link confirmed the reporter's current address. Verification by a moderator is not enough. */
  readonly address_confirmed: boolean;
  readonly questions: readonly ReporterQuestion[];
}

/** Why no one is asked at an unconfirmed address. */
export const NOT_CONFIRMED = "The reporter hasn't confirmed the address with the link";

/**
 * Returns why the reporter can't be asked now, without a period; undefined if they can.
 * @param now RFC 3339, UTC.
 */
export function whyNotAsked(report: Askable, now: string): string | undefined {
  const { status, isHeld, hasReporter, address_confirmed, questions } = report;
  if (isHeld) return "A copyright notice applies to this report";
  if (status !== "pending" && status !== "under_review")
    return `The report is already ${REPORT_STATUSES[status].toLowerCase()}`;
  if (!hasReporter) return "The reporter is erased";
  if (!address_confirmed) return NOT_CONFIRMED;
  if (waitsForAnswer(questions, now)) return "Another question is awaiting an answer";
  if (questions.length >= MAX_QUESTIONS)
    return `${MAX_QUESTIONS} questions have already been asked`;
  return undefined;
}

/** Whether the report is waiting for the reporter. An expired question is not waited for. */
function waitsForAnswer(questions: readonly ReporterQuestion[], now: string): boolean {
  return questions.some(({ state, expires_at }) => state === "open" && expires_at > now);
}

/** Message for staff who would decide, edit or open a report that concerns them. */
export const OWN_REPORT = `This report is your own, names you, or concerns an admin who gave you your role in the last ${NEW_ROLE_HOURS} hours. Someone else has to decide, edit or open it.`;

/** Maximum length of a moderator's note, in characters. */
export const NOTE_CHARS = 2000;

/** Maximum number of notes on a report. */
export const MAX_NOTES = 100;

/** How long a decision about a report can be undone by the person who made it, in milliseconds. */
export const UNDO_MS = 60_000;

/** Delay of emails about a decision in milliseconds: longer than it can be undone. */
export const DECISION_MAIL_WAITS_MS = UNDO_MS + 5_000;

/** Hours between a deletion and the erasure: default and bounds of the setting. */
export const ERASE_HOURS = { default: 24, least: 1, most: 168 } as const;

/** Number of deletions by one account within an hour that need no second admin. */
export const MAX_DELETIONS = 20;

/** Period over which they are counted, in milliseconds; also how long a deletion waits if there is no second admin. */
export const DELETIONS_MS = 3_600_000;

/** Bulk decisions of more reports than this need a recent password. */
export const MAX_UNPROVED = 10;

/** Reasons for which a second admin's deletion erases immediately. */
const AT_ONCE: readonly string[] = ["court_order", "subject_request"] satisfies DeletionReason[];

/** Whether a second admin's deletion for this reason erases the report immediately. */
export function isImmediate(reason: string): boolean {
  return AT_ONCE.includes(reason);
}
