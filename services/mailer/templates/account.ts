import { greeting } from "./greeting.ts";
import type { MailFacts, MailText } from "./layout.ts";

/** Asks whoever registered to confirm the address. All words are fixed. */
export function accountConfirmationMail({ productName, url }: MailFacts): MailText {
  return {
    subject: `Confirm your email address for ${productName}`,
    paragraphs: [
      greeting(undefined),
      `Somebody made an account at ${productName} with this address. Please confirm that it is yours. Open the link where you are signed in: elsewhere you are asked for a new password, and what was entered before is dropped.`,
      "The link works once, within 24 hours. If you did not make an account, you can ignore this mail: an address that nobody confirms is removed after 30 days.",
    ],
    action: { label: "Confirm my email address", url },
  };
}

/** Tells the owner of an account that somebody tried to register its address. */
export function registrationAttemptedMail({ productName, url, words }: MailFacts): MailText {
  return {
    subject: `You have an account at ${productName}`,
    paragraphs: [
      greeting(words),
      "Somebody tried to make an account with this address. You have one already: sign in to it, or ask for a new password on the same page.",
      "If it was not you, there is nothing to do. Nobody got into your account.",
    ],
    action: { label: "Sign in", url },
  };
}

/** A link to set a password. */
export function passwordResetMail({ productName, url, words }: MailFacts): MailText {
  return {
    subject: `Set a new password for ${productName}`,
    paragraphs: [
      greeting(words),
      "Somebody asked for a link to set a new password for the account with this address. With the new password all sessions of the account end.",
      "The link works once, within an hour. If you did not ask for it, you can ignore this mail: your password stays as it is.",
    ],
    action: { label: "Set a new password", url },
  };
}

/** Tells the owner that the password is another one. */
export function passwordChangedMail({ productName, url, words, at }: MailFacts): MailText {
  return {
    subject: `Your password for ${productName} was changed`,
    paragraphs: [
      greeting(words),
      `The password of your account was changed${whenText(at)}. Other sessions of the account have ended.`,
      "If it was not you, set a new password at once: the link for it comes to this address.",
    ],
    action: { label: "It was not me", url },
  };
}

/** Tells the owner that the account is deleted. */
export function accountDeletedMail(facts: MailFacts): MailText {
  const { productName, url, words, at } = facts;
  return {
    subject: `Your account at ${productName} was deleted`,
    paragraphs: [
      greeting(words),
      `Your account was deleted${whenText(at)}, and its sessions have ended. What it holds about you is erased ${erasedText(facts)}. Reports that it sent stay, without your name and address.`,
      "This is the last mail to this account. If it was not you, write to us at once.",
    ],
    action: { label: `Open ${productName}`, url },
  };
}

/** Tells the owner of a sign-in from a browser that the account did not know. */
export function newDeviceMail({ productName, url, words, at }: MailFacts): MailText {
  return {
    subject: `New sign-in to ${productName}`,
    paragraphs: [
      greeting(words),
      `Somebody signed in to your account${whenText(at)}, with its password, from a browser that was not used for it before. Your account settings show which one, and end its session.`,
      "If it was not you, change your password there.",
    ],
    action: { label: "Open account settings", url },
  };
}

/**
 * Tells a former address, which can still undo the change of address, that whoever has the account
 * deleted it.
 */
export function accountDeletedUndoMail(facts: MailFacts): MailText {
  const { productName, url, words, at } = facts;
  return {
    subject: `The account at ${productName} that had your address was deleted`,
    paragraphs: [
      greeting(words),
      `The account that had this address until lately was deleted${whenText(at)}. What it holds is erased ${erasedText(facts)}.`,
      "If it was you, there is nothing to do. If it was not, take your account back with the link before then: it gets this address again, and you set a new password. The link works once.",
    ],
    action: { label: "It was not me", url },
  };
}

/** How long after the end of an account it is erased at the latest, unless the end can be undone. */
const SOON_MS = 2 * 3_600_000;

/** "within two hours", or while a former address can undo the end "on 28 November 2026 ..." */
function erasedText({ at, until }: MailFacts): string {
  const isSoon = !at || !until || Date.parse(until) - Date.parse(at) <= SOON_MS;
  return isSoon
    ? "within two hours"
    : `${whenText(until).trim()}: until then a former address can take it back`;
}

const DATE = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "long",
  timeStyle: "short",
  timeZone: "UTC",
});

/** " on 22 November 2026 at 10:00 (UTC)" */
export function whenText(at: string | undefined): string {
  return at ? ` on ${DATE.format(new Date(at))} (UTC)` : "";
}
