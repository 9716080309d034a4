import { whenText } from "./account.ts";
import { greeting } from "./greeting.ts";
import type { MailFacts, MailText } from "./layout.ts";

const NOT_ME =
  "If it was not you, somebody has your password and is signed in: set a new password at once, which ends all sessions, and write to us.";

/** A mail that tells the owner of a change of the second factor. */
function told(subject: string, what: string, { url, words, at }: MailFacts): MailText {
  const paragraphs = [greeting(words), what.replace("{when}", whenText(at)), NOT_ME];
  return { subject, paragraphs, action: { label: "It was not me", url } };
}

/** Tells the owner that a sign-in needs a code from now on. */
export function twoFactorOnMail(facts: MailFacts): MailText {
  const subject = `Two-factor sign-in for ${facts.productName} was switched on`;
  const what =
    "Two-factor sign-in was switched on for your account{when}. From now on a sign-in needs a code of the authenticator, or a recovery code. Other sessions of the account have ended.";
  return told(subject, what, facts);
}

/** Tells the owner that the password alone is enough again. */
export function twoFactorOffMail(facts: MailFacts): MailText {
  const subject = `Two-factor sign-in for ${facts.productName} was switched off`;
  const what =
    "Two-factor sign-in was switched off for your account{when}. From now on your password alone is enough to sign in. Other sessions of the account have ended.";
  return told(subject, what, facts);
}

/** Tells the owner that other recovery codes count. */
export function recoveryCodesReplacedMail(facts: MailFacts): MailText {
  const subject = `New recovery codes for ${facts.productName}`;
  const what =
    "New recovery codes were made for your account{when}. The former ones do not work any more.";
  return told(subject, what, facts);
}

/** Tells the owner that somebody signed in with a recovery code. */
export function recoveryCodeUsedMail(facts: MailFacts): MailText {
  const subject = `A recovery code for ${facts.productName} was used`;
  const what =
    "Somebody signed in to your account with its password and a recovery code{when}. That code does not work any more.";
  return told(subject, what, facts);
}

/** Tells the owner that somebody of the registry switched the second factor off for them. */
export function twoFactorResetMail({ productName, url, words, at }: MailFacts): MailText {
  return {
    subject: `Two-factor sign-in for ${productName} was reset`,
    paragraphs: [
      greeting(words),
      `We switched two-factor sign-in off for your account${whenText(at)}, because somebody told us that device and recovery codes are lost. All sessions of the account have ended, and your password alone is enough to sign in. Please set two-factor sign-in up again in your account settings.`,
      "If it was not you who asked for it, set a new password at once and write to us.",
    ],
    action: { label: "It was not me", url },
  };
}

/** Tells an admin that somebody's second factor was reset. It names nobody: the audit log does. */
export function twoFactorResetToldMail({ productName, url, words, at }: MailFacts): MailText {
  return {
    subject: `A second factor at ${productName} was reset`,
    paragraphs: [
      greeting(words),
      `An admin or the operator switched two-factor sign-in off for an account of ${productName}${whenText(at)}. The audit log says who did it, and for which account.`,
      "If nobody of you meant to, tell the operator at once: somebody else may act as an admin.",
    ],
    action: { label: "Open the audit log", url },
  };
}

/** Tells an admin that another one asked to switch their second factor off. */
export function twoFactorResetRequestedMail(facts: MailFacts): MailText {
  const { productName, url, words, at } = facts;
  return {
    subject: `Somebody asked to switch off your two-factor sign-in for ${productName}`,
    paragraphs: [
      greeting(words),
      `An admin asked to switch two-factor sign-in off for your account${whenText(at)}, because device and recovery codes were said to be lost. It happens when a second admin confirms it, or in 24 hours if nobody objects.`,
      "If it was not you who lost them, object at once, and tell the operator: somebody else may act as an admin.",
    ],
    action: { label: "Object", url },
  };
}

/** Tells the other admins of it. It names nobody: the page does. */
export function twoFactorResetRequestedToldMail(facts: MailFacts): MailText {
  const { productName, url, words, at } = facts;
  return {
    subject: `A second factor of an admin at ${productName} is to be reset`,
    paragraphs: [
      greeting(words),
      `An admin asked to switch two-factor sign-in off for another admin of ${productName}${whenText(at)}. It happens when a second admin confirms it, or in 24 hours if nobody objects.`,
      "Ask the owner in person before you confirm. If something is wrong, object, and tell the operator.",
    ],
    action: { label: "Confirm or object", url },
  };
}

/** Tells the admins that one of them objected. */
export function twoFactorResetObjectedMail(facts: MailFacts): MailText {
  const { productName, url, words, at } = facts;
  return {
    subject: `A second factor of an admin at ${productName} stays on`,
    paragraphs: [
      greeting(words),
      `An admin objected${whenText(at)} to switching two-factor sign-in off for an admin of ${productName}. Nothing was changed. The audit log says who asked and who objected.`,
    ],
    action: { label: "Open the audit log", url },
  };
}
