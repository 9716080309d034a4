import { NEW_ROLE_HOURS } from "../account/deadlines.ts";
import type { ReporterQuestion } from "../events/report/reporter-questions.ts";
import { type DeletionReason, REPORT_STATUSES, type ReportStatus } from "./words.ts";

/** How often the address of one report can be corrected before it is confirmed. */
export const MOST_CORRECTIONS = 3;

/** Characters of a moderator's question to the reporter, and of its answer, at most. */
export const QUESTION_CHARS = 1000;
/** The longest reason that a moderator gives. */
export const REASON_CHARS = 1000;
export const ANSWER_CHARS = 5000;
/** How many questions are asked about one report, at most. */
export const MOST_QUESTIONS = 10;
/** For how long a question can be answered. */
export const QUESTION_DAYS = 30;

/** What decides whether a report's reporter can be asked. */
interface Askable {
  readonly status: ReportStatus;
  /** A notice keeps it from being public. */
  readonly isHeld: boolean;
  /** Its reporter is not erased. */
  readonly hasReporter: boolean;
  /** A link of an email confirmed the reporter's present address. That a moderator vouched for it is not enough. */
  readonly address_confirmed: boolean;
  readonly questions: readonly ReporterQuestion[];
}

/** Why no one is asked at an address that its owner has not confirmed. */
export const NOT_CONFIRMED = "The reporter hasn't confirmed the address with the link";

/** Why the reporter can't be asked now, without a full stop; undefined when they can. @param now RFC 3339, UTC. */
export function whyNotAsked(report: Askable, now: string): string | undefined {
  const { status, isHeld, hasReporter, address_confirmed, questions } = report;
  if (isHeld) return "A copyright notice applies to this report";
  if (status !== "pending" && status !== "under_review")
    return `The report is already ${REPORT_STATUSES[status].toLowerCase()}`;
  if (!hasReporter) return "The reporter is erased";
  if (!address_confirmed) return NOT_CONFIRMED;
  if (waitsForAnswer(questions, now)) return "Another question is awaiting an answer";
  if (questions.length >= MOST_QUESTIONS)
    return `${MOST_QUESTIONS} questions have already been asked`;
  return undefined;
}

/** Whether the report waits for the reporter: an answer that can no longer come is not waited for. */
function waitsForAnswer(questions: readonly ReporterQuestion[], now: string): boolean {
  return questions.some(({ state, expires_at }) => state === "open" && expires_at > now);
}

/** What staff read where they would decide, edit or open a report that concerns themselves. */
export const OWN_REPORT = `This report is your own, names you, or concerns an admin who gave you your role in the last ${NEW_ROLE_HOURS} hours. Someone else has to decide, edit or open it.`;

/** Longest note of a moderator, in characters. */
export const NOTE_CHARS = 2000;

/** How many notes a report takes. */
export const MOST_NOTES = 100;

/** How long anyone who decided a report can take the decision back, in milliseconds. */
export const UNDO_MS = 60_000;

/** Milliseconds that emails about a decision wait: longer than it can be undone. */
export const DECISION_MAIL_WAITS_MS = UNDO_MS + 5_000;

/** Hours between a deletion and the erasure that follows, unless a setting says otherwise. */
export const ERASE_HOURS = { default: 24, least: 1, most: 168 } as const;

/** Deletions by one account within an hour that need no second admin. */
export const MOST_DELETIONS = 20;

/** Over how long they are counted; and how long a deletion waits where there is no second admin. */
export const DELETIONS_MS = 3_600_000;

/** Bulk decisions of more reports than this need a recent password. */
export const MOST_UNPROVED = 10;

/** Reasons for which a second admin's deletion erases at once. */
const AT_ONCE: readonly string[] = ["court_order", "subject_request"] satisfies DeletionReason[];

/** Whether a second admin's deletion for this reason erases the report at once. */
export function isAtOnce(reason: string): boolean {
  return AT_ONCE.includes(reason);
}
