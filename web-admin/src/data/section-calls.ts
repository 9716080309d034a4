import type { ApiClient } from "./api-client.ts";
import type { InquiryCalls } from "./inquiry-calls.ts";
import { laterCalls } from "./later-calls.ts";
import type { MailCalls } from "./mail-calls.ts";
import type { NoticeCalls } from "./notice-calls.ts";

export type SectionCalls = InquiryCalls & MailCalls & NoticeCalls;

/** The calls of sections whose schemas and words are large. Each comes with the first call of its section. */
export function sectionCalls(client: ApiClient): SectionCalls {
  return {
    ...laterCalls<InquiryCalls>(
      {
        inquiries: true,
        inquiry: true,
        changeInquiryStatus: true,
        addInquiryNote: true,
        answerInquiry: true,
        revealInquiry: true,
        inquiryDocument: true,
        publicReport: true,
        discloseReport: true,
      },
      async () => (await import("./inquiry-calls.ts")).inquiryCalls(client),
    ),
    ...laterCalls<MailCalls>({ mails: true, readMail: true, resendMail: true }, async () =>
      (await import("./mail-calls.ts")).mailCalls(client),
    ),
    ...laterCalls<NoticeCalls>(
      { notices: true, notice: true, decideNotice: true, addNoticeNote: true, revealNotice: true },
      async () => (await import("./notice-calls.ts")).noticeCalls(client),
    ),
  };
}
