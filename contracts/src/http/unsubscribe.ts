import { type Static, Type } from "typebox";
import { UNSUBSCRIBE_SCOPES, type UnsubscribeScope } from "../mail/unsubscribe.ts";
import { reportFields as f, ReportStatusCode, strict } from "../report/fields.ts";
import { ANSWER_CHARS } from "../report/reporter-rules.ts";
import { reply } from "./envelope.ts";

/** A link's token; nothing in it could lead a redirect elsewhere. */
export const UnsubscribeToken = strict({
  token: Type.String({ pattern: "^[A-Za-z0-9_-]{1,200}$" }),
});

/** POST /prod/api/unsubscribe/{token}; a form's `List-Unsubscribe=One-Click` is `wanted: false`. 400 `link_invalid`. */
export const Unsubscribe = strict({ wanted: Type.Boolean() });

const scopes = Object.keys(UNSUBSCRIBE_SCOPES) as UnsubscribeScope[];
const Unsubscribed = strict({ scope: Type.Enum(scopes), wanted: Type.Boolean() });
export type Unsubscribed = Static<typeof Unsubscribed>;
/** Says the same of a report or account that is over: no such emails follow either way. */
export const UnsubscribeReply = reply(Unsubscribed);

const opt = Type.Optional;
const Time = Type.String();
/** The token of a link that was emailed, or of the answer to a submission. */
const Token = Type.String({ pattern: "^[A-Za-z0-9_-]{1,200}$" });

/** POST /prod/api/report-status: the token is in the body, so that no log of addresses has it. */
export const ReadReportStatus = strict({ token: Token });

/** What happened to a report, as its reporter may know it. */
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

/** How many steps a reply has, at most: the first, and the newest of the others. */
export const SHOWN_STEPS = 50;

export const ReportProgress = strict({
  /** As in emails. */
  number: Type.String(),
  status: ReportStatusCode,
  /** Whether the reporter's address is confirmed, or a moderator vouches for it. */
  verified: Type.Boolean(),
  /** Whether a moderator waits for an answer. Its link is in a separate email. */
  asked: Type.Boolean(),
  /** Oldest first. */
  steps: Type.Array(strict({ step: Type.Enum([...REPORT_STEPS]), at: Time }), {
    maxItems: SHOWN_STEPS,
  }),
  /** Why it is rejected. Absent while no one has confirmed the address: it may quote the report. */
  reason: opt(Type.String()),
});
export type ReportProgress = Static<typeof ReportProgress>;
export const ReportProgressReply = reply(ReportProgress);

/** POST /prod/api/reports/{id}/correct-address. 400 `link_invalid`, 409 `already_verified` or `corrections_used`. */
export const CorrectAddress = strict({ token: Token, email: f.reporter_email });

/** POST /prod/api/report-question: a moderator's question, by the link of its email. */
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
