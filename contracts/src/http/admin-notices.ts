import { type Static, Type } from "typebox";
import { INQUIRY_FORMS } from "../inquiry/inquiry-forms.ts";
import {
  LIFT_REASONS,
  MOST_TARGETS,
  NOTICE_DELETIONS,
  NOTICE_REFUSALS,
  NOTICE_STATUSES,
} from "../notice/notice-rules.ts";
import { codes, ReportId, strict } from "../report/fields.ts";
import { AddInquiryNote, RevealInquiryReply } from "./admin-inquiries.ts";
import { reply } from "./envelope.ts";
import { afterOf, KEYSET_PAGE, Next } from "./keyset.ts";

/** Where admins read DMCA notices and counter-notices, and decide about them. */
export const ADMIN_NOTICES = "/prod/api/admin/notices";
export const ADMIN_NOTICE = `${ADMIN_NOTICES}/:id`;

const { takedown, counter_notice } = INQUIRY_FORMS;
const KINDS = { takedown, counter_notice } as const;
export type NoticeKind = keyof typeof KINDS;
export const NOTICE_KINDS: Readonly<Record<NoticeKind, string>> = {
  takedown: takedown.title,
  counter_notice: counter_notice.title,
};

/** The newest steps of a notice that its page shows. */
export const MOST_NOTICE_STEPS = 500;

const Status = codes(NOTICE_STATUSES);
const Time = Type.String();
const opt = Type.Optional;
const Reason = opt(Type.String({ minLength: 1, maxLength: 1000, pattern: "\\S" }));
const Seen = { revision: Type.Integer({ minimum: 0, maximum: 2 ** 31 }) };

/** What a notice is about: a report, or one published picture of it. */
const Target = strict({ report_id: ReportId, copy_id: opt(ReportId) });
export const ShownTarget = strict({
  ...Target.properties,
  report_number: Type.String(),
});
export type ShownTarget = Static<typeof ShownTarget>;

/** A notice without the words of its sender. */
export const ListedNotice = strict({
  id: ReportId,
  /** As its sender quotes it. */
  number: Type.String(),
  kind: codes(KINDS),
  status: Status,
  /** How often it was linked or decided; a decision names it. */
  revision: Type.Integer(),
  /** Masked. */
  email: Type.String(),
  notes: Type.Integer(),
  received_at: Time,
  /** Of a counter-notice: when its material may be back at the earliest. */
  not_before: opt(Time),
  /** When it must be decided at the latest. */
  due_at: Time,
  /** Absent while its sender waits. */
  decided_at: opt(Time),
  targets: Type.Array(ShownTarget, { maxItems: MOST_TARGETS }),
});
export type ListedNotice = Static<typeof ListedNotice>;

/** GET: the newest first. */
export const NoticesQuery = strict({
  kind: opt(codes(KINDS)),
  status: opt(Status),
  /** Those that no one has decided though their time is over, or that have at most `DUE_HOURS` left. */
  overdue: opt(Type.Enum(["yes", "soon"])),
  after: afterOf("notices"),
});
export type NoticesQuery = Static<typeof NoticesQuery>;
export const NoticesReply = reply(
  strict({ notices: Type.Array(ListedNotice, { maxItems: KEYSET_PAGE }), next: Next }),
);
export type Notices = Static<typeof NoticesReply>["data"];

/** Another notice, by id and number. */
const Related = strict({ id: ReportId, number: Type.String() });

/** What was done about a notice. */
export const NoticeStep = strict({
  /** Of its event in the notice's stream. */
  revision: Type.Integer(),
  at: Time,
  /** Name of staff, where it is known. */
  by: opt(Type.String()),
  type: Type.Enum([
    "received",
    "viewed",
    "note",
    "linked",
    "unlinked",
    "refused",
    "taken_down",
    "restored",
    "countered",
    "lifted",
    "passed_on",
  ]),
  /** A note, or why staff decided so. */
  text: opt(Type.String()),
  /** Code of a refusal, or why material is back. */
  reason_code: opt(Type.String()),
  target: opt(ShownTarget),
  /** The notice or the counter-notice that it is about. */
  notice: opt(Related),
});
export type NoticeStep = Static<typeof NoticeStep>;

/** GET .../{id}: the notice and what was done about it, the newest first. */
export const NoticeRecord = strict({
  ...ListedNotice.properties,
  /** The notice that it answers, or the counter-notice that answers it. */
  related: opt(Related),
  steps: Type.Array(NoticeStep, { maxItems: MOST_NOTICE_STEPS }),
});
export type NoticeRecord = Static<typeof NoticeRecord>;
export const NoticeRecordReply = reply(NoticeRecord);

/** POST .../{id}/link and .../unlink. 409 `conflict` where it was changed since that revision. */
export const LinkNotice = strict({ ...Target.properties, ...Seen });
export type LinkNotice = Static<typeof LinkNotice>;

/** POST .../{id}/refuse: its sender is emailed the code's sentence; the text is for staff. */
export const RefuseNotice = strict({
  reason_code: codes(NOTICE_REFUSALS),
  reason: Reason,
  ...Seen,
});
export type RefuseNotice = Static<typeof RefuseNotice>;

/** POST .../{id}/take-down: hides everything that it is linked to. Confirmed reporters read the text. */
export const TakeDownNotice = strict({ reason: Reason, ...Seen });
export type TakeDownNotice = Static<typeof TakeDownNotice>;

/** POST .../{id}/lift: puts everything back without a counter-notice. */
export const LiftNotice = strict({ reason_code: codes(LIFT_REASONS), ...Seen });
export type LiftNotice = Static<typeof LiftNotice>;

/** POST .../{id}/pass-on: the counter-notice answers the notice with this number, whose sender is told. */
export const PassOnCounterNotice = strict({
  notice: Type.String({ pattern: "^[Nn]-[0-9A-Fa-f]{5}-[0-9A-Fa-f]{5}$" }),
  ...Seen,
});
export type PassOnCounterNotice = Static<typeof PassOnCounterNotice>;

/** POST .../{id}/restore: puts back what the notice hid that the counter-notice answers. */
export const RestoreNotice = strict(Seen);
export type RestoreNotice = Static<typeof RestoreNotice>;

/** POST .../{id}/delete: erases what was sent and what was noted. 409 `notice_open` before it has ended. */
export const DeleteNotice = strict({ reason_code: codes(NOTICE_DELETIONS), ...Seen });
export type DeleteNotice = Static<typeof DeleteNotice>;

/** POST .../{id}/notes */
export const AddNoticeNote = AddInquiryNote;
/** POST .../{id}/reveal */
export const RevealNoticeReply = RevealInquiryReply;

/** How the notice stands after a command. */
export const NoticeStateReply = reply(
  strict({ id: ReportId, status: Status, revision: Type.Integer() }),
);
