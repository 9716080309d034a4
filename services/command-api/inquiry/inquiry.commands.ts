import type { InquiryDocument } from "#contracts/events/inquiry/inquiry-events.ts";
import type { NoticeTarget } from "#contracts/events/inquiry/notice-fold.ts";
import type { NamedUpload } from "#contracts/http/evidence.ts";
import type { InquiryKind } from "#contracts/inquiry/inquiry-forms.ts";
import type { InquiryStatus } from "#contracts/inquiry/inquiry-status.ts";
import type { LiftReason, NoticeDeletion, NoticeRefusal } from "#contracts/notice/notice-rules.ts";

/** What a decision about a notice names. */
interface Seen {
  /** How often it was linked or decided when the sender saw it; undefined where that does not matter. */
  readonly revision: number | undefined;
}

/** What staff decide about notices and counter-notices. */
export type NoticeCommand =
  | ({ readonly type: "LinkNotice"; readonly target: NoticeTarget } & Seen)
  | ({ readonly type: "UnlinkNotice"; readonly target: NoticeTarget } & Seen)
  | ({
      readonly type: "RefuseNotice";
      readonly reasonCode: NoticeRefusal;
      readonly reason: string | undefined;
    } & Seen)
  /** The material is down. */
  | ({ readonly type: "GrantNotice"; readonly reason: string | undefined } & Seen)
  /** A counter-notice answers it. */
  | { readonly type: "CounterNotice"; readonly counterNoticeId: string }
  /** The material is back. */
  | ({
      readonly type: "LiftNotice";
      readonly by: LiftReason | "counter_notice";
      readonly counterNoticeId?: string;
    } & Seen)
  /** The counter-notice answers that notice. */
  | ({ readonly type: "PassOnCounterNotice"; readonly noticeId: string } & Seen)
  /** The material is back because of the counter-notice. */
  | ({
      readonly type: "GrantCounterNotice";
      /** RFC 3339: it is not back sooner. */
      readonly notBefore: string;
    } & Seen)
  /** What was sent is erased. */
  | ({ readonly type: "DeleteNotice"; readonly reasonCode: NoticeDeletion } & Seen);

/** The commands of inquiries and notices. */
export type InquiryCommand =
  | {
      readonly type: "SendInquiry";
      readonly kind: InquiryKind;
      /** By field; every one is a text that is not empty. */
      readonly answers: Readonly<Record<string, string>>;
      /** A file that was uploaded before. */
      readonly upload?: NamedUpload;
    }
  | { readonly type: "ViewInquiry" }
  | { readonly type: "ViewInquiryDocument" }
  | {
      readonly type: "ChangeInquiryStatus";
      readonly status: InquiryStatus;
      /** How often the status had been changed when the sender saw it. */
      readonly revision: number;
    }
  | { readonly type: "AddInquiryNote"; readonly text: string }
  | {
      readonly type: "DiscloseReport";
      readonly reportId: string;
      /** Of the report's last event. */
      readonly revision: number;
    }
  | NoticeCommand
  | { readonly type: "EraseInquiry"; readonly by: "retention" | "operator" };

/** The same, with what became of the upload. */
export type PreparedInquiryCommand = InquiryCommand & { readonly document?: InquiryDocument };
