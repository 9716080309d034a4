import { type Static, Type } from "typebox";
import { INQUIRY_FORMS } from "../inquiry/inquiry-forms.ts";
import { INQUIRY_STATUSES, MAX_INQUIRY_ANSWERS } from "../inquiry/inquiry-status.ts";
import { codes, ReportId, strict } from "../report/fields.ts";
import { RevealReply } from "./admin-reports.ts";
import { reply } from "./envelope.ts";
import { afterOf, KEYSET_PAGE, Next } from "./keyset.ts";

/** Inquiries sent with the site's forms, except notices, for admins. */
export const ADMIN_INQUIRIES = "/prod/api/admin/inquiries";
export const ADMIN_INQUIRY = `${ADMIN_INQUIRIES}/:id`;

const { enterprise, law_enforcement } = INQUIRY_FORMS;
/** The forms that are inquiries. */
const KINDS = { enterprise, law_enforcement } as const;
export type ListedKind = keyof typeof KINDS;
export const LISTED_KINDS: Readonly<Record<ListedKind, string>> = {
  enterprise: enterprise.title,
  law_enforcement: law_enforcement.title,
};

/** Maximum length of a note or an answer, in characters, and maximum number of notes per inquiry. */
export const INQUIRY_NOTE_LENGTH = 4_000;
export const MAX_INQUIRY_NOTES = 200;
/** Maximum number of steps that a page shows, newest first. */
const MAX_STEPS = 500;

const Status = codes(INQUIRY_STATUSES);
const Time = Type.String();
const Text = Type.String({ minLength: 1, maxLength: INQUIRY_NOTE_LENGTH });

/** An inquiry without its text. */
export const ListedInquiry = strict({
  id: ReportId,
  /** Reference number, as its sender quotes it. */
  number: Type.String(),
  kind: codes(KINDS),
  status: Status,
  /** Number of status changes. A request that changes the status includes it. */
  status_revision: Type.Integer(),
  /** Masked. */
  email: Type.String(),
  has_document: Type.Boolean(),
  /** Length of the sender's text without name and address, in characters. */
  message_chars: Type.Integer(),
  notes: Type.Integer(),
  received_at: Time,
  /** Deadline of the promised answer, to the inquiry or to the latest reply. */
  answer_by: Time,
  /** When it was first answered or closed since the latest reply. Absent while its sender is waiting. */
  answered_at: Type.Optional(Time),
});
export type ListedInquiry = Static<typeof ListedInquiry>;

/** GET: newest first. */
export const InquiriesQuery = strict({
  kind: Type.Optional(codes(KINDS)),
  status: Type.Optional(Status),
  /** Whether the deadline has passed without an answer. */
  overdue: Type.Optional(Type.Enum(["yes"])),
  after: afterOf("inquiries"),
});
export type InquiriesQuery = Static<typeof InquiriesQuery>;
export const InquiriesReply = reply(
  strict({ inquiries: Type.Array(ListedInquiry, { maxItems: KEYSET_PAGE }), next: Next }),
);
export type Inquiries = Static<typeof InquiriesReply>["data"];

/** A step in handling an inquiry. */
export const InquiryStep = strict({
  /** Revision of its event in the inquiry's stream. */
  revision: Type.Integer(),
  at: Time,
  /** Name of the staff member, if known. */
  by: Type.Optional(Type.String()),
  type: Type.Enum([
    "received",
    "status",
    "note",
    "answered",
    "replied",
    "viewed",
    "document",
    "disclosed",
  ]),
  /** The new status, for a status change. */
  to: Type.Optional(Status),
  /** Text of a note or an answer. */
  text: Type.Optional(Type.String()),
  /** The answer, or the one that was replied to. */
  answer_id: Type.Optional(ReportId),
  /** The disclosed report, and its number. */
  report_id: Type.Optional(ReportId),
  report_number: Type.Optional(Type.String()),
});
export type InquiryStep = Static<typeof InquiryStep>;

/** GET .../{id}: the inquiry and its steps, newest first. */
export const InquiryRecord = strict({
  ...ListedInquiry.properties,
  steps: Type.Array(InquiryStep, { maxItems: MAX_STEPS }),
});
export type InquiryRecord = Static<typeof InquiryRecord>;
export const InquiryRecordReply = reply(InquiryRecord);
/** Maximum number of steps in a reply, newest first. */
export const MAX_INQUIRY_STEPS = MAX_STEPS;

/** POST .../{id}/status. 409 `conflict` if the status changed after that revision. */
export const ChangeInquiryStatus = strict({
  status: Status,
  revision: Type.Integer({ minimum: 0, maximum: 2 ** 31 }),
});
export type ChangeInquiryStatus = Static<typeof ChangeInquiryStatus>;

/** POST .../{id}/notes */
export const AddInquiryNote = strict({ text: Text });
export type AddInquiryNote = Static<typeof AddInquiryNote>;

/**
 * POST .../{id}/answer: emails the sender. 409 `conflict` if the status changed after that revision,
 * `inquiry_closed`, `answer_limit`.
 */
export const AnswerInquiry = strict({
  text: Text,
  revision: Type.Integer({ minimum: 0, maximum: 2 ** 31 }),
});
export type AnswerInquiry = Static<typeof AnswerInquiry>;

/** State of the inquiry after a command. */
export const InquiryStateReply = reply(
  strict({ id: ReportId, status: Status, status_revision: Type.Integer() }),
);

/** POST .../{id}/reveal: the sender's text, question by question, then each reply. */
export const RevealInquiryReply = reply(
  Type.Array(
    strict({
      label: Type.String(),
      text: Type.String(),
      /** The answer that it replies to. */
      answer_id: Type.Optional(ReportId),
    }),
    { maxItems: 40 + MAX_INQUIRY_ANSWERS },
  ),
);
export type RevealedInquiry = Static<typeof RevealInquiryReply>["data"];

/** POST .../{id}/disclose: opens a report for a law enforcement request. */
export const DiscloseReport = strict({ report_id: ReportId });
export const DiscloseReply = RevealReply;
export type DisclosedReport = Static<typeof DiscloseReply>["data"];
