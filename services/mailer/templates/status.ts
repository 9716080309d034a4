import { greeting, reportCalled } from "./greeting.ts";
import type { MailFacts, MailText } from "./layout.ts";

/** Tells a reporter that the report is public. */
export function approvedMail({ productName, url, words }: MailFacts): MailText {
  return {
    subject: `Your report to ${productName} is published`,
    paragraphs: [greeting(words), `Your ${reportCalled(words)} was approved and is public now.`],
    // The address of the report's page contains a name, so no mail links to it.
    action: { label: "Open the registry", url },
  };
}

/** Tells a reporter that the report was rejected, and why. */
export function rejectedMail({ productName, words, reason }: MailFacts): MailText {
  return {
    subject: `Your report to ${productName} was not published`,
    paragraphs: [
      greeting(words),
      `Your ${reportCalled(words)} was reviewed and will not be published.`,
      ...(reason ? [`Reason: ${reason}`] : []),
    ],
  };
}

/** Tells a reporter that the report is under review. */
export function underReviewMail({ productName, words }: MailFacts): MailText {
  return {
    subject: `Your report to ${productName} is under review`,
    paragraphs: [
      greeting(words),
      `Your ${reportCalled(words)} is being reviewed. You get another mail when it is decided.`,
    ],
  };
}

/** Tells a reporter that the report is pending again. */
export function pendingMail({ productName, words }: MailFacts): MailText {
  return {
    subject: `Your report to ${productName} waits for a review`,
    paragraphs: [
      greeting(words),
      `Your ${reportCalled(words)} was put back into the queue and waits for a review.`,
    ],
  };
}
