import type { MailKind } from "#read-model/tables/outbox.ts";
import type { MailFacts, MailText } from "./templates/layout.ts";
import { signInLinkMail } from "./templates/sign-in-link.ts";
import { approvedMail, pendingMail, rejectedMail, underReviewMail } from "./templates/status.ts";
import { verificationMail } from "./templates/verification.ts";

export interface KindOfMail {
  readonly template: (facts: MailFacts) => MailText;
  /**
   * How many unrequested ones an address gets in 24 hours. Links that were requested again are
   * counted apart, under the same cap.
   */
  readonly capADay: number;
  /** Whether its recipient asked for it, provided that the address is confirmed: then no cap stops it. */
  readonly isAskedFor: boolean;
}

/** Unrequested mails of all kinds that an address gets in 24 hours, resent links aside. */
export const RECIPIENT_CAP_A_DAY = 10;

/**
 * Every kind of mail. A decision was asked for by whoever submitted the report and confirmed the
 * address; a link to confirm it goes to addresses only that nobody has confirmed. A link to sign in by has to
 * reach the account's owner however many mails strangers caused: the command side asks for no more
 * than five a day that are not opened.
 */
export const mailKinds: Readonly<Record<MailKind, KindOfMail>> = {
  verification: { template: verificationMail, capADay: 8, isAskedFor: false },
  approved: { template: approvedMail, capADay: 5, isAskedFor: true },
  rejected: { template: rejectedMail, capADay: 5, isAskedFor: true },
  under_review: { template: underReviewMail, capADay: 3, isAskedFor: false },
  sign_in_link: { template: signInLinkMail, capADay: 5, isAskedFor: true },
  pending: { template: pendingMail, capADay: 3, isAskedFor: false },
};
