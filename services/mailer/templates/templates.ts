import type { MailKind } from "#contracts/mail/mail-kinds.ts";
import {
  accountConfirmationMail,
  accountDeletedMail,
  accountDeletedUndoMail,
  newDeviceMail,
  passwordChangedMail,
  passwordResetMail,
  registrationAttemptedMail,
} from "./account.ts";
import { emailChangedMail, emailChangeMail, emailChangeWarningMail } from "./email-change.ts";
import { inquiryForDeskMail, inquiryReceivedMail } from "./inquiry.ts";
import type { MailFacts, MailText } from "./layout.ts";
import { samePersonMail, weeklySummaryMail } from "./notices.ts";
import { questionMail } from "./question.ts";
import {
  letterAcceptedMail,
  letterRefusedMail,
  paymentRefundedMail,
  paymentToldMail,
  resolutionForDeskMail,
  resolvedMail,
} from "./resolution.ts";
import { signInLinkMail } from "./sign-in-link.ts";
import {
  accountBannedMail,
  accountInvitedMail,
  accountRemovedMail,
  accountUnbannedMail,
  profileEditedMail,
  roleChangedMail,
  staffChangedMail,
} from "./standing.ts";
import { approvedMail, pendingMail, rejectedMail, underReviewMail } from "./status.ts";
import {
  recoveryCodesReplacedMail,
  recoveryCodeUsedMail,
  twoFactorOffMail,
  twoFactorOnMail,
  twoFactorResetMail,
  twoFactorResetObjectedMail,
  twoFactorResetRequestedMail,
  twoFactorResetRequestedToldMail,
  twoFactorResetToldMail,
} from "./two-factor.ts";
import { verificationMail } from "./verification.ts";

/** The words of every kind of mail. */
export const templates: Readonly<Record<MailKind, (facts: MailFacts) => MailText>> = {
  verification: verificationMail,
  question: questionMail,
  approved: approvedMail,
  rejected: rejectedMail,
  under_review: underReviewMail,
  pending: pendingMail,
  letter_accepted: letterAcceptedMail,
  letter_refused: letterRefusedMail,
  resolved: resolvedMail,
  payment_refunded: paymentRefundedMail,
  resolution_for_desk: resolutionForDeskMail,
  payment_told: paymentToldMail,
  sign_in_link: signInLinkMail,
  account_confirmation: accountConfirmationMail,
  registration_attempted: registrationAttemptedMail,
  password_reset: passwordResetMail,
  password_changed: passwordChangedMail,
  two_factor_on: twoFactorOnMail,
  two_factor_off: twoFactorOffMail,
  two_factor_reset: twoFactorResetMail,
  two_factor_reset_told: twoFactorResetToldMail,
  two_factor_reset_requested: twoFactorResetRequestedMail,
  two_factor_reset_requested_told: twoFactorResetRequestedToldMail,
  two_factor_reset_objected: twoFactorResetObjectedMail,
  recovery_codes_replaced: recoveryCodesReplacedMail,
  recovery_code_used: recoveryCodeUsedMail,
  account_deleted: accountDeletedMail,
  account_deleted_undo: accountDeletedUndoMail,
  account_invited: accountInvitedMail,
  account_banned: accountBannedMail,
  account_unbanned: accountUnbannedMail,
  role_changed: roleChangedMail,
  profile_edited: profileEditedMail,
  account_removed: accountRemovedMail,
  staff_changed: staffChangedMail,
  new_device: newDeviceMail,
  same_person: samePersonMail,
  weekly_summary: weeklySummaryMail,
  email_change: emailChangeMail,
  email_change_warning: emailChangeWarningMail,
  email_changed: emailChangedMail,
  inquiry_received: inquiryReceivedMail,
  inquiry_for_desk: inquiryForDeskMail,
  notice_received: inquiryReceivedMail,
  notice_for_desk: inquiryForDeskMail,
};
