import { greeting } from "./greeting.ts";
import type { MailFacts, MailText } from "./layout.ts";

/**
 * Asks a reporter to confirm the address. All of its words are fixed, as nobody has confirmed it
 * yet.
 */
export function verificationMail({ productName, url }: MailFacts): MailText {
  return {
    subject: `Confirm your report to ${productName}`,
    paragraphs: [
      greeting(undefined),
      "Thank you for your report. Please confirm that this address is yours. Our moderators then review the report, and you get a mail when they have decided.",
      "The link works once, within 48 hours. If you did not submit a report, you can ignore this mail.",
    ],
    action: { label: "Confirm my email address", url },
  };
}
