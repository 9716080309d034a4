import { Type } from "typebox";
import { ReportId, strict } from "../../report/fields.ts";
import { defineEvent, type OpenData } from "../definition.ts";
import type { ReportEvent } from "../index.ts";
import { Instant } from "../instant.ts";
import { OneTimeLink } from "../one-time-link.ts";
import { textsAround } from "./report-edited.ts";
import { textIn, withTextsAt } from "./report-texts.ts";

const Text = Type.String({ minLength: 1 });
const QuestionId = Type.String({ format: "uuid" });

/** A moderator asked the reporter a question. The report is on hold until the answer. */
export const ReporterAsked = defineEvent(
  "ReporterAsked",
  1,
  /** Its ID is the question's. The question can be answered until the link expires. */
  strict({ link: OneTimeLink }),
  { personal: strict({ question: Text }) },
  { required: ["personal"], texts: { personal: textIn("question") } },
);

/**
 * The reporter answered. The answer can be about the reporter, so it is erased with the reporter
 * even if the report stays.
 */
export const ReporterAnswered = defineEvent(
  "ReporterAnswered",
  1,
  strict({ question_id: QuestionId }),
  { reporter: strict({ answer: Text }) },
  { required: ["reporter"], texts: { reporter: textIn("answer") } },
);

/** A moderator withdrew the question. */
export const ReporterQuestionWithdrawn = defineEvent(
  "ReporterQuestionWithdrawn",
  1,
  strict({ question_id: QuestionId }),
  {},
);

export const reporterQuestionDefinitions = [
  ReporterAsked,
  ReporterAnswered,
  ReporterQuestionWithdrawn,
] as const;

/** A question to the reporter. Lists are in the order asked. */
export interface ReporterQuestion {
  readonly question_id: string;
  /** Deadline for an answer (RFC 3339, UTC). */
  readonly expires_at: string;
  /** `closed`: the report was decided without an answer, or no one has the link anymore. */
  readonly state: "open" | "answered" | "withdrawn" | "closed";
  /** Null once the person is erased. */
  readonly question: string | null;
  /** Null until answered, and once the reporter is erased. */
  readonly answer: string | null;
}

/** A question with the times it was asked and ended, RFC 3339. */
export interface TimedQuestion extends ReporterQuestion {
  readonly asked_at: string;
  /** When it was answered, withdrawn or closed; absent while it is open. */
  readonly ended_at?: string;
}

/** Applies one event of the report to its questions. */
export function evolveQuestions(
  questions: readonly ReporterQuestion[],
  event: ReportEvent,
): readonly ReporterQuestion[] {
  switch (event.type) {
    case "ReporterAsked": {
      const { link, personal } = event.data;
      const { link_id: question_id, expires_at } = link;
      const question = personal?.question ?? null;
      // An expired question may still be open.
      return [
        ...closed(questions),
        { question_id, expires_at, state: "open", question, answer: null },
      ];
    }
    case "ReporterAnswered": {
      const { question_id, reporter } = event.data;
      return questions.map((each) =>
        each.question_id === question_id
          ? { ...each, state: "answered", answer: reporter?.answer ?? null }
          : each,
      );
    }
    case "ReporterQuestionWithdrawn":
      return questions.map((each) =>
        each.question_id === event.data.question_id ? { ...each, state: "withdrawn" } : each,
      );
    case "ReportStatusSet": {
      const { question_id } = event.data.undoes ?? {};
      return question_id === undefined
        ? questions
        : questions.map((each) =>
            each.question_id === question_id && each.state === "closed"
              ? { ...each, state: "open" }
              : each,
          );
    }
    case "ReportEdited":
      // The link went to the previous address.
      return event.data.fields.includes("reporter_email") ? closed(questions) : questions;
    case "ReportApproved":
    case "ReportRejected":
    case "ReportVerificationWithdrawn":
    case "ReporterAddressCorrected":
      return closed(questions);
    case "ReportTextMasked":
      return withTextsAt({ questions }, textsAround(event.data)).questions;
    case "ReporterErased":
      return closed(questions).map((each) => ({ ...each, answer: null }));
    default:
      return questions;
  }
}

/**
 * Does the same as {@link evolveQuestions}, with times.
 * @param at time of the event, RFC 3339.
 */
export function evolveTimedQuestions(
  questions: readonly TimedQuestion[],
  event: ReportEvent,
  at: string,
): readonly TimedQuestion[] {
  const after = evolveQuestions(questions, event);
  if (after === questions) return questions;
  return after.map((each, i) => {
    const before = questions[i];
    if (!before) return { ...each, asked_at: at };
    if (before.state === each.state) return { ...before, ...each };
    const { ended_at: _, ...asked } = { ...before, ...each };
    return each.state === "open" ? asked : { ...asked, ended_at: at };
  });
}

/** Returns the question that is waiting for its answer. */
export function openQuestion<Q extends ReporterQuestion>(questions: readonly Q[]): Q | undefined {
  return questions.find(({ state }) => state === "open");
}

function closed(questions: readonly ReporterQuestion[]): readonly ReporterQuestion[] {
  return openQuestion(questions)
    ? questions.map((each) => (each.state === "open" ? { ...each, state: "closed" } : each))
    : questions;
}

/*
 * Consequences for a reporter whose material a DMCA notice took down. The events name no one: the report
 * determines whose warning it is.
 */

/** Consequence of the first, the second, and any further infringement. */
export const WARNING_STEPS = ["warning", "suspension", "ban"] as const;
export type WarningStep = (typeof WARNING_STEPS)[number];

/** The reporter infringed copyright again. `strike` is the number of infringements that count. */
export const ReporterWarned = defineEvent(
  "ReporterWarned",
  1,
  strict({
    notice_id: ReportId,
    step: Type.Enum([...WARNING_STEPS]),
    strike: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    /** When a suspension ends; absent for the other steps. */
    until: Type.Optional(Instant),
    /** The account that the report belonged to. */
    account_id: Type.Optional(ReportId),
    /**
     * Set if the notice already counts with another report by this reporter. Naming that report would link their
     * author.
     */
    counted_before: Type.Optional(Type.Literal(true)),
  }),
  {},
);

/**
 * Reports from the submitted address are not accepted, until `until` or permanently. The address is
 * emailed this, without a link. The submitter isn't told.
 */
export const SubmissionHeldBack = defineEvent(
  "SubmissionHeldBack",
  1,
  strict({ until: Type.Optional(Instant) }),
  {},
);

/** The notice was lifted or refused and no longer counts. */
export const ReporterWarningLifted = defineEvent(
  "ReporterWarningLifted",
  1,
  strict({ notice_id: ReportId }),
  {},
);

export const reporterWarningDefinitions = [
  ReporterWarned,
  SubmissionHeldBack,
  ReporterWarningLifted,
] as const;

/** A warning that counts against the report's reporter. */
export type ReporterWarning = OpenData<typeof ReporterWarned>;

/** Applies one event to the warnings that count, at most one per notice. */
export function evolveWarnings(
  warnings: readonly ReporterWarning[],
  event: ReportEvent,
): readonly ReporterWarning[] {
  if (event.type !== "ReporterWarned" && event.type !== "ReporterWarningLifted") return warnings;
  const { data } = event;
  const others = warnings.filter(({ notice_id }) => notice_id !== data.notice_id);
  return event.type === "ReporterWarned" ? [...others, event.data] : others;
}
