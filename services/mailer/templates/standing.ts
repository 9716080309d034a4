import { whenText } from "./account.ts";
import { greeting } from "./greeting.ts";
import type { MailFacts, MailText } from "./layout.ts";

/** Invites somebody for whom staff made an account. All words are fixed. */
export function accountInvitedMail({ productName, url }: MailFacts): MailText {
  return {
    subject: `You are invited to ${productName}`,
    paragraphs: [
      greeting(undefined),
      `An admin of ${productName} made an account with this address. Please set a password of your own: that also confirms that the address is yours.`,
      "The link works once, within seven days. If you expected no invitation, you can ignore this mail: if nobody sets a password, the account is removed when the link ends.",
    ],
    action: { label: "Set my password", url },
  };
}

/** Tells the owner of a ban, why, and until when. */
export function accountBannedMail(facts: MailFacts): MailText {
  const { productName, url, words, at, until, reason } = facts;
  const end = until ? `It ends${whenText(until)}.` : "It has no end date.";
  return {
    subject: `Your account at ${productName} was banned`,
    paragraphs: [
      greeting(words),
      `Your account was banned${whenText(at)}: nobody can sign in to it, and its sessions have ended. ${end}`,
      ...(reason ? [`Reason: ${reason}`] : []),
      "Reports that were published stay. If you think this is a mistake, write to us.",
    ],
    action: { label: `Open ${productName}`, url },
  };
}

/** Tells the owner that a ban is over. */
export function accountUnbannedMail({ productName, url, words, at }: MailFacts): MailText {
  return {
    subject: `Your account at ${productName} is no longer banned`,
    paragraphs: [
      greeting(words),
      `The ban of your account ended${whenText(at)}. You can sign in again, with the same password.`,
    ],
    action: { label: "Sign in", url },
  };
}

/** Tells the owner that the account may do other things now. */
export function roleChangedMail({ productName, url, words, at }: MailFacts): MailText {
  return {
    subject: `Your role at ${productName} was changed`,
    paragraphs: [
      greeting(words),
      `An admin gave your account another role${whenText(at)}. All of its sessions have ended: please sign in again.`,
      "If you did not expect that, write to us.",
    ],
    action: { label: "Sign in", url },
  };
}

/** Tells the owner that staff wrote something else about them. It repeats none of it. */
export function profileEditedMail({ productName, url, words, at }: MailFacts): MailText {
  return {
    subject: `Your profile at ${productName} was edited`,
    paragraphs: [
      greeting(words),
      `An admin changed the name or phone number of your account${whenText(at)}. Your account settings show them as they are now.`,
      "If something is wrong, you can change it there, or write to us.",
    ],
    action: { label: "Open my account settings", url },
  };
}

/** Tells the owner that staff closed the account. */
export function accountRemovedMail(facts: MailFacts): MailText {
  const { productName, url, words, at, until } = facts;
  const erased = until
    ? " What it holds about you is erased within two hours. Reports that it sent stay, without your name and address."
    : "";
  return {
    subject: `Your account at ${productName} was closed`,
    paragraphs: [
      greeting(words),
      `An admin closed your account${whenText(at)}, and its sessions have ended.${erased}`,
      "This is the last mail to this account. If you think this is a mistake, write to us at once.",
    ],
    action: { label: `Open ${productName}`, url },
  };
}

/** Tells an admin of a decision about staff. It names nobody: the audit log does. */
export function staffChangedMail({ productName, url, words, at }: MailFacts): MailText {
  return {
    subject: `An account of staff at ${productName} was changed`,
    paragraphs: [
      greeting(words),
      `Somebody became or stopped being a member of staff of ${productName}, or the ban of one began or ended${whenText(at)}. The audit log says who decided it, and about which account.`,
      "If nobody of you meant to, tell the operator at once: somebody else may act as an admin.",
    ],
    action: { label: "Open the audit log", url },
  };
}
