import { type Static, Type } from "typebox";
import { INQUIRY_FORMS } from "../inquiry/inquiry-forms.ts";
import { INQUIRY_STATUSES, MOST_INQUIRY_ANSWERS } from "../inquiry/inquiry-status.ts";
import { codes, ReportId, strict } from "../report/fields.ts";
import { RevealReply } from "./admin-reports.ts";
import { reply } from "./envelope.ts";
import { afterOf, KEYSET_PAGE, Next } from "./keyset.ts";

/** Where admins read what was sent by the forms, except notices. */
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

/** Most characters of a note or an answer, and most notes of an inquiry. */
export const INQUIRY_NOTE_LENGTH = 4_000;
export const MOST_INQUIRY_NOTES = 200;
/** Disclosures and changes of the status that a page shows, the newest. */
const MOST_STEPS = 500;

const Status = codes(INQUIRY_STATUSES);
const Time = Type.String();
const Text = Type.String({ minLength: 1, maxLength: INQUIRY_NOTE_LENGTH });

/** An inquiry without the words of its sender. */
export const ListedInquiry = strict({
  id: ReportId,
  /** As its sender quotes it. */
  number: Type.String(),
  kind: codes(KINDS),
  status: Status,
  /** How often the status was changed; a change names it. */
  status_revision: Type.Integer(),
  /** Masked. */
  email: Type.String(),
  has_document: Type.Boolean(),
  /** Characters of what its sender wrote, without name and address. */
  message_chars: Type.Integer(),
  notes: Type.Integer(),
  received_at: Time,
  /** When the time is over within which an answer was promised, to the inquiry or to the latest reply. */
  answer_by: Time,
  /** When it was first answered or closed, since the latest reply. Absent while its sender waits. */
  answered_at: Type.Optional(Time),
});
export type ListedInquiry = Static<typeof ListedInquiry>;

/** GET: the newest first. */
export const InquiriesQuery = strict({
  kind: Type.Optional(codes(KINDS)),
  status: Type.Optional(Status),
  /** Whether the promised time is over and no one has answered. */
  overdue: Type.Optional(Type.Enum(["yes"])),
  after: afterOf("inquiries"),
});
export type InquiriesQuery = Static<typeof InquiriesQuery>;
export const InquiriesReply = reply(
  strict({ inquiries: Type.Array(ListedInquiry, { maxItems: KEYSET_PAGE }), next: Next }),
);
export type Inquiries = Static<typeof InquiriesReply>["data"];

/** What staff did about an inquiry. */
export const InquiryStep = strict({
  /** Of its event in the inquiry's stream. */
  revision: Type.Integer(),
  at: Time,
  /** Name of staff, where it is known. */
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
  /** After a change of the status. */
  to: Type.Optional(Status),
  /** Text of a note or an answer. */
  text: Type.Optional(Type.String()),
  /** The answer, or the one that the sender replied to. */
  answer_id: Type.Optional(ReportId),
  /** The report that was disclosed, and its number. */
  report_id: Type.Optional(ReportId),
  report_number: Type.Optional(Type.String()),
});
export type InquiryStep = Static<typeof InquiryStep>;

/** GET .../{id}: the inquiry and what was done about it, the newest first. */
export const InquiryRecord = strict({
  ...ListedInquiry.properties,
  steps: Type.Array(InquiryStep, { maxItems: MOST_STEPS }),
});
export type InquiryRecord = Static<typeof InquiryRecord>;
export const InquiryRecordReply = reply(InquiryRecord);
/** The newest steps of an inquiry are read. */
export const MOST_INQUIRY_STEPS = MOST_STEPS;

/** POST .../{id}/status. 409 `conflict` where the status was changed since that revision. */
export const ChangeInquiryStatus = strict({
  status: Status,
  revision: Type.Integer({ minimum: 0, maximum: 2 ** 31 }),
});
export type ChangeInquiryStatus = Static<typeof ChangeInquiryStatus>;

/** POST .../{id}/notes */
export const AddInquiryNote = strict({ text: Text });
export type AddInquiryNote = Static<typeof AddInquiryNote>;

/**
 * POST .../{id}/answer: emails the sender. 409 `conflict` where the status was changed since that revision;
 * `inquiry_closed`, `answer_limit`.
 */
export const AnswerInquiry = strict({
  text: Text,
  revision: Type.Integer({ minimum: 0, maximum: 2 ** 31 }),
});
export type AnswerInquiry = Static<typeof AnswerInquiry>;

/** How the inquiry stands after a command. */
export const InquiryStateReply = reply(
  strict({ id: ReportId, status: Status, status_revision: Type.Integer() }),
);

/** POST .../{id}/reveal: what the sender wrote, question by question, and then each reply. */
export const RevealInquiryReply = reply(
  Type.Array(
    strict({
      label: Type.String(),
      text: Type.String(),
      /** The answer that it is a reply to. */
      answer_id: Type.Optional(ReportId),
    }),
    { maxItems: 40 + MOST_INQUIRY_ANSWERS },
  ),
);
export type RevealedInquiry = Static<typeof RevealInquiryReply>["data"];

/** POST .../{id}/disclose: opens a report for a request of law enforcement. */
export const DiscloseReport = strict({ report_id: ReportId });
export const DiscloseReply = RevealReply;
export type DisclosedReport = Static<typeof DiscloseReply>["data"];
