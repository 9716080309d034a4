import type { InquiryEvent } from "#contracts/events/index.ts";
import type { InquiryState } from "#contracts/events/inquiry/inquiry-fold.ts";
import { given } from "#contracts/given.ts";
import type { InquiryForm } from "#contracts/inquiry/inquiry-forms.ts";
import type { PreparedInquiryCommand } from "./inquiry.commands.ts";

/** Decides all commands of the inquiries, or of the notices. */
export function decideInquiry(family: InquiryForm["family"]) {
  const isNotice = family === "notice";
  return (state: InquiryState | undefined, command: PreparedInquiryCommand): InquiryEvent[] => {
    switch (command.type) {
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
      case "EraseInquiry": {
        const data = { by: command.by };
        if (!state || state.isErased) return [];
        return [{ type: isNotice ? "NoticeErased" : "InquiryErased", data }];
      }
    }
  };
}
