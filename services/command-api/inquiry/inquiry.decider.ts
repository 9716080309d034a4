import { DomainError } from "#contracts/domain-error.ts";
import type { InquiryEvent } from "#contracts/events/index.ts";
import type { InquiryState } from "#contracts/events/inquiry/inquiry-fold.ts";
import { given } from "#contracts/given.ts";
import { MOST_INQUIRY_NOTES } from "#contracts/http/admin-inquiries.ts";
import type { InquiryForm } from "#contracts/inquiry/inquiry-forms.ts";
import type { Moment } from "../kernel/command.ts";
import type { PreparedInquiryCommand } from "./inquiry.commands.ts";
import { decideNotice } from "./notice.decider.ts";

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
          throw new DomainError("conflict", "Somebody else has changed this meanwhile.");
        if (from === command.status) return [];
        return [{ type: "InquiryStatusChanged", data: { from, to: command.status } }];
      }
      case "AddInquiryNote": {
        if (present(state).notes >= MOST_INQUIRY_NOTES)
          throw new DomainError("note_limit", "This inquiry has as many notes as it may have.");
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
