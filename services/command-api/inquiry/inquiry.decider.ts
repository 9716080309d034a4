import type { InquiryEvent } from "#contracts/events/index.ts";
import type { InquiryState } from "#contracts/events/inquiry/inquiry-fold.ts";
import type { InquiryForm } from "#contracts/inquiry/inquiry-forms.ts";
import type { InquiryCommand } from "./inquiry.commands.ts";

/** Decides all commands of the inquiries, or of the notices. */
export function decideInquiry(family: InquiryForm["family"]) {
  const isNotice = family === "notice";
  return (state: InquiryState | undefined, command: InquiryCommand): InquiryEvent[] => {
    switch (command.type) {
      case "SendInquiry": {
        const { name = "", email = "", ...others } = command.answers;
        const answers = Object.entries(others).map(([field, text]) => ({ field, text }));
        const data = { kind: command.kind, sender: { name, email, answers } };
        return state ? [] : [{ type: isNotice ? "NoticeReceived" : "InquiryReceived", data }];
      }
      case "ViewInquiry":
        if (!state?.sender) return [];
        return [{ type: isNotice ? "NoticeViewed" : "InquiryViewed", data: {} }];
      case "EraseInquiry": {
        const data = { by: command.by };
        if (!state || state.isErased) return [];
        return [{ type: isNotice ? "NoticeErased" : "InquiryErased", data }];
      }
    }
  };
}
