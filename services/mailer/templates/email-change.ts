import { whenText } from "./account.ts";
import { greeting } from "./greeting.ts";
import type { MailFacts, MailText } from "./layout.ts";

/** Asks whoever has the new address to confirm it. All words are fixed. */
export function emailChangeMail({ productName, url }: MailFacts): MailText {
  return {
    subject: `Confirm your new email address for ${productName}`,
    paragraphs: [
      greeting(undefined),
      `Somebody wants to use this address for their account at ${productName}. If it was you, open the link where you are signed in to the account.`,
      "The link works once, within 24 hours. If it was not you, you can ignore this mail: nothing happens without you.",
    ],
    action: { label: "Use this address", url },
  };
}

/** Warns the present address of an account that another one was asked for. */
export function emailChangeWarningMail({ productName, url, words, at }: MailFacts): MailText {
  return {
    subject: `Another email address for your account at ${productName}`,
    paragraphs: [
      greeting(words),
      `Somebody who knows your password asked to use another email address for your account${whenText(at)}. Your account keeps this address until the other one is confirmed.`,
      "If it was not you, set a new password at once: that ends all sessions and stops the change.",
    ],
    action: { label: "It was not me", url },
  };
}

/** Tells the former address of an account, which can undo that. */
export function emailChangedMail({ productName, url, words, at }: MailFacts): MailText {
  return {
    subject: `Your email address for ${productName} was changed`,
    paragraphs: [
      greeting(words),
      `Your account uses another email address now${whenText(at)}. Mails about it go there from now on.`,
      "If it was not you, take your account back with the link. It works once, within a week: your account gets this address again, all sessions end, and you set a new password.",
    ],
    action: { label: "It was not me", url },
  };
}
