import { MOST_DELETIONS } from "#contracts/report/reporter-rules.ts";
import type { MailText } from "#mail-templates/layout.ts";
import type { MailFacts } from "./mail-facts.ts";

/** Tells every admin that one of them has deleted so many reports that another one must approve the next. */
export function deletionWaitsMail({ productName, url }: MailFacts): MailText {
  return {
    subject: `A deletion on ${productName} needs your approval`,
    paragraphs: [
      "Hello,",
      `An admin of ${productName} deleted ${MOST_DELETIONS} reports within an hour. The next deletion is on hold until another admin approves or refuses it. You'll find it in the back office under Reports, on the Deleted tab.`,
      "You can restore deleted reports until they are erased. If you don't know about these deletions, undo them and tell the operator right away. Someone may have gained admin access.",
    ],
    action: { label: "Open deleted reports", url },
  };
}
