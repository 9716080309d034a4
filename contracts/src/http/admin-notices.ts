import { type Static, Type } from "typebox";
import { INQUIRY_FORMS } from "../inquiry/inquiry-forms.ts";
import {
  LIFT_REASONS,
  MAX_TARGETS,
  NOTICE_DELETIONS,
  NOTICE_REFUSALS,
  NOTICE_STATUSES,
} from "../notice/notice-rules.ts";
import { codes, ReportId, strict } from "../report/fields.ts";
import { AddInquiryNote, RevealInquiryReply } from "./admin-inquiries.ts";
import { reply } from "./envelope.ts";
import { afterOf, KEYSET_PAGE, Next } from "./keyset.ts";

/** DMCA notices and counter-notices, for admins. */
export const ADMIN_NOTICES = "/prod/api/admin/notices";
export const ADMIN_NOTICE = `${ADMIN_NOTICES}/:id`;

const { takedown, counter_notice } = INQUIRY_FORMS;
const KINDS = { takedown, counter_notice } as const;
export type NoticeKind = keyof typeof KINDS;
export const NOTICE_KINDS: Readonly<Record<NoticeKind, string>> = {
  takedown: takedown.title,
  counter_notice: counter_notice.title,
};

/** Maximum number of steps that a notice's page shows, newest first. */
export const MAX_NOTICE_STEPS = 500;

const Status = codes(NOTICE_STATUSES);
const Time = Type.String();
const opt = Type.Optional;
const Reason = opt(Type.String({ minLength: 1, maxLength: 1000, pattern: "\\S" }));
const Seen = { revision: Type.Integer({ minimum: 0, maximum: 2 ** 31 }) };

/** What a notice is about: a report, or one of its published pictures. */
const Target = strict({ report_id: ReportId, copy_id: opt(ReportId) });
export const ShownTarget = strict({
  ...Target.properties,
  report_number: Type.String(),
});
export type ShownTarget = Static<typeof ShownTarget>;

/** A notice without its text. */
export const ListedNotice = strict({
  id: ReportId,
  /** Reference number, as its sender quotes it. */
  number: Type.String(),
  kind: codes(KINDS),
  status: Status,
  /** Number of links and decisions. A request that decides includes it. */
  revision: Type.Integer(),
  /** Masked. */
  email: Type.String(),
  notes: Type.Integer(),
  received_at: Time,
  /** Counter-notices only: when the material may be restored at the earliest. */
  not_before: opt(Time),
  /** Deadline for the decision. */
  due_at: Time,
  /** Absent while its sender is waiting. */
  decided_at: opt(Time),
  targets: Type.Array(ShownTarget, { maxItems: MAX_TARGETS }),
});
export type ListedNotice = Static<typeof ListedNotice>;

/** GET: newest first. */
export const NoticesQuery = strict({
  kind: opt(codes(KINDS)),
  status: opt(Status),
  /** Undecided notices whose deadline has passed (`yes`), or that have at most `DUE_HOURS` left (`soon`). */
  overdue: opt(Type.Enum(["yes", "soon"])),
  after: afterOf("notices"),
});
export type NoticesQuery = Static<typeof NoticesQuery>;
export const NoticesReply = reply(
  strict({ notices: Type.Array(ListedNotice, { maxItems: KEYSET_PAGE }), next: Next }),
);
export type Notices = Static<typeof NoticesReply>["data"];

/** Another notice, by ID and number. */
const Related = strict({ id: ReportId, number: Type.String() });

/** A step in handling a notice. */
export const NoticeStep = strict({
  /** Revision of its event in the notice's stream. */
  revision: Type.Integer(),
  at: Time,
  /** Name of the staff member, if known. */
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
  /** Text of a note, or the reason for a decision. */
  text: opt(Type.String()),
  /** Code of a refusal, or of the reason why material was restored. */
  reason_code: opt(Type.String()),
  target: opt(ShownTarget),
  /** The other notice or counter-notice that the step is about. */
  notice: opt(Related),
});
export type NoticeStep = Static<typeof NoticeStep>;

/** GET .../{id}: the notice and its steps, newest first. */
export const NoticeRecord = strict({
  ...ListedNotice.properties,
  /** The notice that it answers, or the counter-notice that answers it. */
  related: opt(Related),
  steps: Type.Array(NoticeStep, { maxItems: MAX_NOTICE_STEPS }),
});
export type NoticeRecord = Static<typeof NoticeRecord>;
export const NoticeRecordReply = reply(NoticeRecord);

/** POST .../{id}/link and .../unlink. 409 `conflict` if it changed after that revision. */
export const LinkNotice = strict({ ...Target.properties, ...Seen });
export type LinkNotice = Static<typeof LinkNotice>;

/** POST .../{id}/refuse: its sender is emailed the code's sentence; the text is for staff. */
export const RefuseNotice = strict({
  reason_code: codes(NOTICE_REFUSALS),
  reason: Reason,
  ...Seen,
});
export type RefuseNotice = Static<typeof RefuseNotice>;

/** POST .../{id}/take-down: hides everything that it is linked to. Confirmed reporters see the text. */
export const TakeDownNotice = strict({ reason: Reason, ...Seen });
export type TakeDownNotice = Static<typeof TakeDownNotice>;

/** POST .../{id}/lift: restores everything without a counter-notice. */
export const LiftNotice = strict({ reason_code: codes(LIFT_REASONS), ...Seen });
export type LiftNotice = Static<typeof LiftNotice>;

/** POST .../{id}/pass-on: links the counter-notice to the notice with this number, whose sender is emailed. */
export const PassOnCounterNotice = strict({
  notice: Type.String({ pattern: "^[Nn]-[0-9A-Fa-f]{5}-[0-9A-Fa-f]{5}$" }),
  ...Seen,
});
export type PassOnCounterNotice = Static<typeof PassOnCounterNotice>;

/** POST .../{id}/restore: restores what was hidden by the notice that the counter-notice answers. */
export const RestoreNotice = strict(Seen);
export type RestoreNotice = Static<typeof RestoreNotice>;

/** POST .../{id}/delete: erases everything sent and noted. 409 `notice_open` before it has ended. */
export const DeleteNotice = strict({ reason_code: codes(NOTICE_DELETIONS), ...Seen });
export type DeleteNotice = Static<typeof DeleteNotice>;

/** POST .../{id}/notes */
export const AddNoticeNote = AddInquiryNote;
/** POST .../{id}/reveal */
export const RevealNoticeReply = RevealInquiryReply;

/** State of the notice after a command. */
export const NoticeStateReply = reply(
  strict({ id: ReportId, status: Status, revision: Type.Integer() }),
);
