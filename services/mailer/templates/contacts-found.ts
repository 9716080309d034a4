import { MOST_CONTACTS_FOUND } from "#contracts/account/contact-alarm.ts";
import type { MailText } from "#mail-templates/layout.ts";
import type { MailFacts } from "./mail-facts.ts";

/** Tells every admin that accounts may be guessing what masks hide. */
export function contactsFoundMail({ productName, url }: MailFacts): MailText {
  return {
    subject: `Unusually many searches by email or phone on ${productName}`,
    paragraphs: [
      "Hello,",
      `Searches by email or phone have found at least ${MOST_CONTACTS_FOUND} reports on ${productName} today. That is more than merchants who look up their customers usually find. Someone may be using one or more accounts to guess the addresses and phone numbers that we mask.`,
      "The audit log lists the accounts under “Contact found by a search”. Ban those you don't trust. We'll email you about this at most once a day.",
    ],
    action: { label: "Open the audit log", url },
  };
}
