import { DomainError } from "#contracts/domain-error.ts";
import type { InquiryEvent } from "#contracts/events/index.ts";
import type { InquiryDocument } from "#contracts/events/inquiry/inquiry-events.ts";
import type { InquiryState } from "#contracts/events/inquiry/inquiry-fold.ts";
import type { NoticeTarget } from "#contracts/events/inquiry/notice-fold.ts";
import { given } from "#contracts/given.ts";
import { MOST_INQUIRY_NOTES } from "#contracts/http/admin-inquiries.ts";
import type { NamedUpload } from "#contracts/http/evidence.ts";
import type { InquiryForm, InquiryKind } from "#contracts/inquiry/inquiry-forms.ts";
import type { InquiryStatus } from "#contracts/inquiry/inquiry-status.ts";
import type { LiftReason, NoticeDeletion, NoticeRefusal } from "#contracts/notice/notice-rules.ts";
import type { Moment } from "../kernel/command.ts";
import { decideNotice } from "./notice.decider.ts";

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

/** Decides all commands of the inquiries, or of the notices. */
export function decideInquiry(family: InquiryForm["family"]) {
  const isNotice = family === "notice";
  return (
    state: InquiryState | undefined,
    command: PreparedInquiryCommand,
    moment: Pick<Moment, "newId" | "now">,
  ): InquiryEvent[] => {
    switch (command.type) {
      case "LinkNotice":
      case "UnlinkNotice":
      case "RefuseNotice":
      case "GrantNotice":
      case "CounterNotice":
      case "LiftNotice":
      case "PassOnCounterNotice":
      case "GrantCounterNotice":
      case "DeleteNotice":
        return decideNotice(state, command, moment);
      case "SendInquiry": {
        const { name = "", email = "", ...others } = command.answers;
        const answers = Object.entries(others).map(([field, text]) => ({ field, text }));
        const sender = { name, email, answers };
        if (state) return [];
        if (isNotice) return [{ type: "NoticeReceived", data: { kind: command.kind, sender } }];
        const { kind, document } = command;
        const data = { kind, sender: { ...sender, ...given({ document }) } };
        return [{ type: "InquiryReceived", data }];
      }
      case "ViewInquiry":
        if (!state?.sender) return [];
        return [{ type: isNotice ? "NoticeViewed" : "InquiryViewed", data: {} }];
      case "ViewInquiryDocument":
        return state?.sender?.document ? [{ type: "InquiryDocumentViewed", data: {} }] : [];
      case "ChangeInquiryStatus": {
        const { status: from, statusRevision } = present(state);
        if (statusRevision !== command.revision)
          throw new DomainError("conflict", "Someone else changed this in the meantime.");
        if (from === command.status) return [];
        return [{ type: "InquiryStatusChanged", data: { from, to: command.status } }];
      }
      case "AddInquiryNote": {
        if (present(state).notes >= MOST_INQUIRY_NOTES)
          throw new DomainError(
            "note_limit",
            "This inquiry has reached the maximum number of notes.",
          );
        const note = { text: command.text };
        const type = isNotice ? "NoticeNoteAdded" : "InquiryNoteAdded";
        return [{ type, data: { note_id: moment.newId, note } }];
      }
      case "DiscloseReport": {
        const { reportId: report_id, revision } = command;
        requireDisclosable(state);
        return [{ type: "ReportDisclosed", data: { report_id, revision } }];
      }
      case "EraseInquiry": {
        const data = { by: command.by };
        if (!state || state.isErased) return [];
        return [{ type: isNotice ? "NoticeErased" : "InquiryErased", data }];
      }
    }
  };
}

/** The inquiry, whose words are still there. */
function present(state: InquiryState | undefined): InquiryState {
  if (!state?.sender) throw notFound();
  return state;
}

/**
 * A report is opened for a request of law enforcement that somebody works on.
 * @throws {DomainError} `not_found`; `inquiry_closed` for a closed request.
 */
export function requireDisclosable(state: InquiryState | undefined): void {
  const { kind, status } = present(state);
  if (kind !== "law_enforcement") throw notFound();
  if (status === "closed")
    throw new DomainError("inquiry_closed", "This request is closed. Take it into work first.");
}

/** The refusal where there is no such inquiry, or none any more. */
export function notFound(): DomainError {
  return new DomainError("not_found", "There is no such inquiry, or it was erased");
}
