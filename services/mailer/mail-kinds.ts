import type { MailKind } from "#read-model/tables/outbox.ts";
import {
  accountConfirmationMail,
  newDeviceMail,
  passwordChangedMail,
  passwordResetMail,
  registrationAttemptedMail,
} from "./templates/account.ts";
import type { MailFacts, MailText } from "./templates/layout.ts";
import { signInLinkMail } from "./templates/sign-in-link.ts";
import { approvedMail, pendingMail, rejectedMail, underReviewMail } from "./templates/status.ts";
import {
  recoveryCodesReplacedMail,
  recoveryCodeUsedMail,
  twoFactorOffMail,
  twoFactorOnMail,
} from "./templates/two-factor.ts";
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
  /** Whose history asks for it and tells where it goes. */
  readonly owner: "report" | "account";
}

/** Unrequested mails of all kinds that an address gets in 24 hours, not counting resent links. */
export const RECIPIENT_CAP_A_DAY = 10;

/**
 * Every kind of mail. A reporter who confirmed the address asked to be told the decision. A link
 * that confirms an address goes only to addresses that are not confirmed. A sign-in link has to
 * reach the account's owner however many mails strangers caused; the command side requests at most
 * five a day that are not opened, and none for an address that is not confirmed. Only the owner, or
 * whoever has the password, causes mails about a new password, device or second factor. Links for a
 * new password have their own cap.
 */
// biome-ignore format: one row a kind
export const mailKinds: Readonly<Record<MailKind, KindOfMail>> = {
  verification: { owner: "report", template: verificationMail, capADay: 8, isAskedFor: false },
  approved: { owner: "report", template: approvedMail, capADay: 5, isAskedFor: true },
  rejected: { owner: "report", template: rejectedMail, capADay: 5, isAskedFor: true },
  under_review: { owner: "report", template: underReviewMail, capADay: 3, isAskedFor: false },
  pending: { owner: "report", template: pendingMail, capADay: 3, isAskedFor: false },
  sign_in_link: { owner: "account", template: signInLinkMail, capADay: 5, isAskedFor: true },
  account_confirmation: { owner: "account", template: accountConfirmationMail, capADay: 8, isAskedFor: false },
  registration_attempted: { owner: "account", template: registrationAttemptedMail, capADay: 1, isAskedFor: false },
  password_reset: { owner: "account", template: passwordResetMail, capADay: 10, isAskedFor: false },
  password_changed: { owner: "account", template: passwordChangedMail, capADay: 10, isAskedFor: true },
  two_factor_on: { owner: "account", template: twoFactorOnMail, capADay: 10, isAskedFor: true },
  two_factor_off: { owner: "account", template: twoFactorOffMail, capADay: 10, isAskedFor: true },
  recovery_codes_replaced: { owner: "account", template: recoveryCodesReplacedMail, capADay: 10, isAskedFor: true },
  recovery_code_used: { owner: "account", template: recoveryCodeUsedMail, capADay: 10, isAskedFor: true },
  new_device: { owner: "account", template: newDeviceMail, capADay: 10, isAskedFor: true },
};
