import type { MailText } from "#mail-templates/layout.ts";
import type { MailFacts } from "./mail-facts.ts";

/** Tells every admin that a setting of backups, sign-in, addresses or keeping was changed. */
export function settingsChangedMail({ productName, url }: MailFacts): MailText {
  return {
    subject: `Settings of ${productName} were changed`,
    paragraphs: [
      "Hello,",
      `An admin changed how ${productName} makes backups, who may sign in to the console, where mails to its staff go, or how long it keeps things. The page of the settings shows what applies now, and who changed it.`,
      "If none of you did this, set it back and tell the operator immediately. Someone may have gained admin access.",
    ],
    action: { label: "Open the settings", url },
  };
}
