import type { MailText } from "#mail-templates/layout.ts";
import type { MailFacts } from "./mail-facts.ts";

/** Tells an admin that mails read otherwise. It names nobody: the audit log does. */
export function templateChangedMail({ productName, url }: MailFacts): MailText {
  return {
    subject: `A mail template at ${productName} was changed`,
    paragraphs: [
      "Hello,",
      `An admin changed what ${productName} mails: a template was activated or deactivated, or the active one was edited. The audit log says who did it, and for which kind of mail.`,
      "If none of you did this, deactivate the template and tell the operator immediately. Someone may have gained admin access.",
    ],
    action: { label: "Open the audit log", url },
  };
}
