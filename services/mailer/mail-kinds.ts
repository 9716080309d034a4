import type { MailKind } from "#read-model/tables/outbox.ts";
import type { MailFacts, MailText } from "./templates/layout.ts";
import { signInLinkMail } from "./templates/sign-in-link.ts";
import { approvedMail, pendingMail, rejectedMail, underReviewMail } from "./templates/status.ts";
import { verificationMail } from "./templates/verification.ts";

export interface KindOfMail {
  readonly template: (facts: MailFacts) => MailText;
  /**
   * How many unrequested mails of this kind an address gets in 24 hours. Links that were requested
   * again are counted separately, under the same cap.
   */
  readonly capADay: number;
  /** Whether the recipient asked for it. If so, and the address is confirmed, no cap applies. */
  readonly isAskedFor: boolean;
}

/** Unrequested mails of all kinds that an address gets in 24 hours, not counting resent links. */
export const RECIPIENT_CAP_A_DAY = 10;

/**
 * Every kind of mail. A reporter who confirmed the address asked to be told the decision. A link
 * that confirms an address goes only to addresses that are not confirmed. A sign-in link has to
 * reach the account's owner however many mails strangers caused; the command side requests at most
 * five a day that are not opened.
 */
export const mailKinds: Readonly<Record<MailKind, KindOfMail>> = {
  verification: { template: verificationMail, capADay: 8, isAskedFor: false },
  approved: { template: approvedMail, capADay: 5, isAskedFor: true },
  rejected: { template: rejectedMail, capADay: 5, isAskedFor: true },
  under_review: { template: underReviewMail, capADay: 3, isAskedFor: false },
  sign_in_link: { template: signInLinkMail, capADay: 5, isAskedFor: true },
  pending: { template: pendingMail, capADay: 3, isAskedFor: false },
};
