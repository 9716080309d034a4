import { greeting } from "./greeting.ts";
import type { MailFacts, MailText } from "./layout.ts";

/**
 * Lets an account's owner sign in, in a new browser, while strangers' attempts block new browsers.
 */
export function signInLinkMail({ productName, url }: MailFacts): MailText {
  return {
    subject: `Sign in to ${productName} from a new device`,
    paragraphs: [
      greeting(undefined),
      "Somebody tried many passwords for your account, from devices that we do not know. Until that stops, a new device needs this link before your password is looked at. Open it on the device from which you want to sign in. Devices on which you signed in before need none.",
      "The link works once, within 24 hours. If you do not want to sign in, you can ignore this mail: nobody gets in without your password.",
    ],
    action: { label: "Use this device", url },
  };
}
