import type { ReportStatus } from "#contracts/report/words.ts";
import { greeting, reportCalled } from "./greeting.ts";
import type { MailText } from "./layout.ts";

/** Tells a reporter how the report stands now. */
export function statusMail(report: {
  readonly firstName: string;
  readonly title: string;
  /** Whether the reporter confirmed the address. */
  readonly confirmed: boolean;
  readonly status: ReportStatus;
  /** Why it was turned down. */
  readonly reason?: string;
  readonly searchUrl: string;
  readonly productName: string;
}): MailText {
  const { firstName, title, confirmed, status, reason, searchUrl, productName } = report;
  const hello = greeting(firstName);
  const called = `Your ${reportCalled(title, confirmed)}`;
  switch (status) {
    case "approved":
      return {
        subject: `Your report to ${productName} is published`,
        paragraphs: [hello, `${called} was approved and is public now.`],
        // The page's own address holds a name: it does not belong in a mail's link.
        action: { label: "Open the registry", url: searchUrl },
      };
    case "rejected":
      return {
        subject: `Your report to ${productName} was not published`,
        paragraphs: [
          hello,
          `${called} was reviewed and will not be published.`,
          ...(reason ? [`Reason: ${reason}`] : []),
        ],
      };
    case "under_review":
      return {
        subject: `Your report to ${productName} is under review`,
        paragraphs: [
          hello,
          `${called} is being reviewed. You get another mail when it is decided.`,
        ],
      };
    case "pending":
      return {
        subject: `Your report to ${productName} waits for a review`,
        paragraphs: [hello, `${called} was put back into the queue and waits for a review.`],
      };
  }
}
