import type { MailText } from "#mail-templates/layout.ts";
import type { MailFacts } from "./mail-facts.ts";

/** Tells every admin that a setting of backups, sign-in, addresses or retention was changed. */
export function settingsChangedMail({ productName, url }: MailFacts): MailText {
  return {
    subject: `${productName} settings were changed`,
    paragraphs: [
      "Hello,",
      `An admin changed how ${productName} makes backups, who can sign in to the back office, where emails to its staff go, or how long it keeps data. The settings page shows the current settings and who changed them.`,
      "If none of you did this, change it back and tell the operator immediately. Someone may have gained admin access.",
    ],
    action: { label: "Open settings", url },
  };
}
