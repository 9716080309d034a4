import { type Static, Type } from "typebox";
import { UNSUBSCRIBE_SCOPES, type UnsubscribeScope } from "../mail/unsubscribe.ts";
import { reportFields as f, ReportStatusCode, strict } from "../report/fields.ts";
import { ANSWER_CHARS } from "../report/reporter-rules.ts";
import { reply } from "./envelope.ts";

/** A link's token, limited to characters that cannot change where a redirect leads. */
export const UnsubscribeToken = strict({
  token: Type.String({ pattern: "^[A-Za-z0-9_-]{1,200}$" }),
});

/** POST /prod/api/unsubscribe/{token}; a form's `List-Unsubscribe=One-Click` is `wanted: false`. 400 `link_invalid`. */
export const Unsubscribe = strict({ wanted: Type.Boolean() });

const scopes = Object.keys(UNSUBSCRIBE_SCOPES) as UnsubscribeScope[];
const Unsubscribed = strict({ scope: Type.Enum(scopes), wanted: Type.Boolean() });
export type Unsubscribed = Static<typeof Unsubscribed>;
/** Does not reveal whether the report or account has ended: no such emails are sent then anyway. */
export const UnsubscribeReply = reply(Unsubscribed);

const opt = Type.Optional;
const Time = Type.String();
/** The token of an emailed link, or of the reply to a submission. */
const Token = Type.String({ pattern: "^[A-Za-z0-9_-]{1,200}$" });

/** POST /prod/api/report-status: the token is in the body, so that no log of URLs has it. */
export const ReadReportStatus = strict({ token: Token });

/** Steps in a report's history that its reporter may see. */
const REPORT_STEPS = [
  "submitted",
  "corrected",
  "confirmed",
  "vouched",
  "unconfirmed",
  "under_review",
  "pending",
  "asked",
  "answered",
  "withdrawn",
  "approved",
  "rejected",
] as const;
export type ReportStep = (typeof REPORT_STEPS)[number];

/** Maximum number of steps in a reply: the first, and the newest of the others. */
export const SHOWN_STEPS = 50;

export const ReportProgress = strict({
  /** As in emails. */
  number: Type.String(),
  status: ReportStatusCode,
  /** Whether the reporter's address is confirmed, or a moderator verified it by hand. */
  verified: Type.Boolean(),
  /** Whether a moderator is waiting for an answer. Its link is in a separate email. */
  asked: Type.Boolean(),
  /** Oldest first. */
  steps: Type.Array(strict({ step: Type.Enum([...REPORT_STEPS]), at: Time }), {
    maxItems: SHOWN_STEPS,
  }),
  /** Why it is rejected. Absent until the address is confirmed, because it may quote the report. */
  reason: opt(Type.String()),
});
export type ReportProgress = Static<typeof ReportProgress>;
export const ReportProgressReply = reply(ReportProgress);

/** POST /prod/api/reports/{id}/correct-address. 400 `link_invalid`, 409 `already_verified` or `corrections_used`. */
export const CorrectAddress = strict({ token: Token, email: f.reporter_email });

/** POST /prod/api/report-question: returns a moderator's question for the link in its email. */
export const ReadQuestion = strict({ token: Token });
export const AskedQuestion = strict({
  number: Type.String(),
  asked_at: Time,
  expires_at: Time,
  state: Type.Enum(["open", "answered", "withdrawn", "closed"]),
  /** Absent once it is no longer open: the link may be old. */
  question: opt(Type.String()),
});
export type AskedQuestion = Static<typeof AskedQuestion>;
export const AskedQuestionReply = reply(AskedQuestion);

/** POST /prod/api/report-question/answer. 400 `link_invalid`, 409 `question_closed`. */
export const AnswerQuestion = strict({
  token: Token,
  answer: Type.String({ minLength: 1, maxLength: ANSWER_CHARS, pattern: "\\S" }),
});
