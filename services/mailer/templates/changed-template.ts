import type { MailText } from "#mail-templates/layout.ts";
import type { MailFacts } from "./mail-facts.ts";

/** Tells an admin that the text of an email changed. Names no one: the audit log does. */
export function templateChangedMail({ productName, url }: MailFacts): MailText {
  return {
    subject: `An email template was changed at ${productName}`,
    paragraphs: [
      "Hello,",
      `An admin changed the emails that ${productName} sends. A template was activated or deactivated, or the active one was edited. The audit log shows who did it and for which kind of email.`,
      "If none of you did this, deactivate the template and tell the operator immediately. Someone may have gained admin access.",
    ],
    action: { label: "Open the audit log", url },
  };
}
