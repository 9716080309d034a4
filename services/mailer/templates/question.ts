import { greeting, reportCalled } from "./greeting.ts";
import type { MailFacts, MailText } from "./layout.ts";

/**
 * Asks a reporter what a moderator wants to know. The question is the staff's words, and goes only to an
 * address that its owner has confirmed.
 */
export function questionMail({ productName, url, words, question }: MailFacts): MailText {
  return {
    subject: `A question about your report to ${productName}`,
    paragraphs: [
      greeting(words),
      `A moderator has a question about your ${reportCalled(words)}:`,
      ...(question ? [question] : []),
      "The report waits for your answer. The link takes one answer, within 30 days. You need no account.",
    ],
    action: { label: "Answer the question", url },
  };
}
