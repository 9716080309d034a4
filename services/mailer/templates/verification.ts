import { greeting, reportCalled } from "./greeting.ts";
import type { MailText } from "./layout.ts";

/** Asks a reporter to confirm the address. */
export function verificationMail(report: {
  readonly firstName: string;
  readonly title: string;
  readonly url: string;
  readonly productName: string;
}): MailText {
  return {
    subject: `Confirm your report to ${report.productName}`,
    paragraphs: [
      greeting(report.firstName),
      `Thank you for your ${reportCalled(report.title, false)}. Please confirm that this address is yours. Our moderators then review the report, and you get a mail when they have decided.`,
      "The link works once, within 48 hours. If you did not submit a report, you can ignore this mail.",
    ],
    action: { label: "Confirm my email address", url: report.url },
  };
}
