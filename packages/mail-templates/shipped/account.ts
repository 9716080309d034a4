import {
  ACCOUNT_LINK_HOURS,
  EMAIL_UNDO_DAYS,
  INVITATION_DAYS,
  RESET_LINK_MINUTES,
} from "#contracts/account/deadlines.ts";
import { RETENTION_DAYS } from "#contracts/retention.ts";
import { HELLO, paragraphs, REASON, type ShippedTemplate, WHEN } from "./shipped-template.ts";

export const accountTemplates = {
  account_confirmation: {
    subject: "Confirm your email address for {{ product_name }}",
    body: paragraphs(
      "Hello,",
      "Someone created an account at {{ product_name }} with this email address. If it was you, confirm your address with the link below. On a device where you aren't signed in, we'll ask for the password you chose.",
    ),
    warning: `The link works once, within ${ACCOUNT_LINK_HOURS} hours. If you didn't create an account, you can ignore this email: we'll delete the account within ${RETENTION_DAYS.unconfirmed_account} days unless the address is confirmed.`,
    action: "Confirm my email address",
  },
  registration_attempted: {
    subject: "You already have an account at {{ product_name }}",
    body: paragraphs(
      HELLO,
      "Someone tried to create an account with this address, but you already have one. Sign in, or reset your password from the same page.",
    ),
    warning: "If it wasn't you, there's nothing to do. No one got into your account.",
    action: "Sign in",
  },
  password_reset: {
    subject: "Set a new {{ product_name }} password",
    body: paragraphs(
      HELLO,
      "Someone asked for a link to set a new password for the account with this address. Setting a new password signs you out everywhere.",
    ),
    warning: `The link works once, within ${RESET_LINK_MINUTES} minutes. If you didn't ask for it, you can ignore this email: your password stays the same.`,
    action: "Set a new password",
  },
  password_changed: {
    subject: "Your {{ product_name }} password was changed",
    body: paragraphs(
      HELLO,
      `Your account's password was changed${WHEN}. We've ended all other sessions.`,
    ),
    warning:
      "If it wasn't you, set a new password right away. We'll email the link to this address.",
    action: "This wasn't me",
  },
  account_deleted: {
    subject: "Your {{ product_name }} account will be deleted",
    body: paragraphs(
      HELLO,
      `We received a request to delete your account${WHEN} and signed you out everywhere. We'll permanently delete your profile and any files not attached to a report {{ erased }}. Reports you submitted stay published, without your name and address.`,
      "Changed your mind? Sign in before then with your usual password, and we'll keep your account.",
    ),
    warning:
      "If you didn't ask for this, sign in to keep your account, then change your password in your account settings.",
    action: "Sign in",
  },
  account_kept: {
    subject: "Your {{ product_name }} account won't be deleted",
    body: paragraphs(
      HELLO,
      `You signed in${WHEN}, so we canceled the deletion of your account. Everything in it is still there.`,
    ),
    warning: "If you didn't sign in, set a new password: that signs everyone out of your account.",
    action: "Set a new password",
  },
  /** Goes to a previous address, which can still undo the change of address. */
  account_deleted_undo: {
    subject: "The {{ product_name }} account that used your address will be deleted",
    body: paragraphs(
      HELLO,
      `We received a request to delete the account that recently used this address${WHEN}. We'll permanently erase its data {{ erased }}.`,
    ),
    warning:
      "If it was you, there's nothing to do. If it wasn't, use the link before then to recover your account: it gets this address again, and you set a new password. The link works once.",
    action: "This wasn't me",
  },
  new_device: {
    subject: "New sign-in to {{ product_name }}",
    body: paragraphs(
      HELLO,
      `Someone signed in to your account with its password${WHEN}, from a browser we don't recognize. You can see that session in your account settings and end it there.`,
    ),
    warning: "If it wasn't you, change your password there.",
    action: "Open account settings",
  },
  /** Sent while failed attempts block new browsers. */
  sign_in_link: {
    subject: "Sign in to {{ product_name }} from a new device",
    body: paragraphs(
      "Hello,",
      "Someone tried many passwords for your account from devices we don't recognize. Until this stops, open this link before signing in on a new device. Devices you've signed in on before don't need it.",
    ),
    warning: `The link works once, within ${ACCOUNT_LINK_HOURS} hours. If you don't want to sign in, you can ignore this email: no one gets in without your password.`,
    action: "Sign in on this device",
  },
  /** Goes to the new address. */
  email_change: {
    subject: "Confirm your new email address for {{ product_name }}",
    body: paragraphs(
      "Hello,",
      "Someone wants to use this address for their {{ product_name }} account. If it was you, open the link in a browser where you're signed in to the account.",
    ),
    warning: `The link works once, within ${ACCOUNT_LINK_HOURS} hours. If it wasn't you, you can ignore this email: nothing changes unless you use the link.`,
    action: "Use this address",
  },
  /** Goes to the current address. */
  email_change_warning: {
    subject: "Request to change the email address of your {{ product_name }} account",
    body: paragraphs(
      HELLO,
      `Someone who knows your password asked to use another email address for your account${WHEN}. Your account keeps this address until the other one is confirmed.`,
    ),
    warning:
      "If it wasn't you, set a new password right away: that ends all sessions and stops the change.",
    action: "This wasn't me",
  },
  /** Goes to the previous address, which can undo the change. */
  email_changed: {
    subject: "Your {{ product_name }} email address was changed",
    body: paragraphs(
      HELLO,
      `The email address of your account was changed${WHEN}. We'll send emails about your account to the new address.`,
    ),
    warning: `If it wasn't you, use the link to recover your account. It works once, within ${EMAIL_UNDO_DAYS} days: your account gets this address again, all sessions end, and you set a new password.`,
    action: "This wasn't me",
  },
} as const satisfies Readonly<Record<string, ShippedTemplate>>;

const NOT_ME =
  "If it wasn't you, someone has your password and is signed in. Set a new password right away: that ends all sessions. Then write to us.";

export const twoFactorTemplates = {
  two_factor_on: {
    subject: "Two-factor authentication is on for {{ product_name }}",
    body: paragraphs(
      HELLO,
      `Two-factor authentication was turned on for your account${WHEN}. To sign in, you now need your password and a code from your authenticator app, or a recovery code. We've ended all other sessions.`,
    ),
    warning: NOT_ME,
    action: "This wasn't me",
  },
  two_factor_off: {
    subject: "Two-factor authentication is off for {{ product_name }}",
    body: paragraphs(
      HELLO,
      `Two-factor authentication was turned off for your account${WHEN}. To sign in, you now need only your password. We've ended all other sessions.`,
    ),
    warning: NOT_ME,
    action: "This wasn't me",
  },
  recovery_codes_replaced: {
    subject: "New recovery codes for {{ product_name }}",
    body: paragraphs(
      HELLO,
      `New recovery codes were created for your account${WHEN}. The old ones no longer work.`,
    ),
    warning: NOT_ME,
    action: "This wasn't me",
  },
  recovery_code_used: {
    subject: "A recovery code for {{ product_name }} was used",
    body: paragraphs(
      HELLO,
      `Someone signed in to your account with its password and a recovery code${WHEN}. That code no longer works.`,
    ),
    warning: NOT_ME,
    action: "This wasn't me",
  },
  two_factor_reset: {
    subject: "Two-factor authentication for {{ product_name }} was reset",
    body: paragraphs(
      HELLO,
      `We turned off two-factor authentication for your account${WHEN}, because someone told us that the device and the recovery codes are lost. You've been signed out everywhere and can sign in with only your password. Please set up two-factor authentication again in your account settings.`,
    ),
    warning: "If you didn't ask for this, set a new password right away and write to us.",
    action: "This wasn't me",
  },
  /** Goes to admins. Names no one: the audit log does. */
  two_factor_reset_told: {
    subject: "Two-factor authentication was reset for an account at {{ product_name }}",
    body: paragraphs(
      HELLO,
      `An admin or the operator turned off two-factor authentication for an account at {{ product_name }}${WHEN}. The audit log shows who did it and for which account.`,
    ),
    warning:
      "If none of you did this, tell the operator immediately. Someone may have gained admin access.",
    action: "Open the audit log",
  },
} as const satisfies Readonly<Record<string, ShippedTemplate>>;

export const accountStatusTemplates = {
  account_invited: {
    subject: "You're invited to {{ product_name }}",
    body: paragraphs(
      "Hello,",
      "An admin of {{ product_name }} created an account for you with this address. Set a password to start using it: that also confirms that the address is yours.",
    ),
    warning: `The link works once, within ${INVITATION_DAYS} days. If you didn't expect an invitation, you can ignore this email: unless a password is set, we'll delete the account when the link expires.`,
    action: "Set my password",
  },
  account_banned: {
    subject: "Your {{ product_name }} account was banned",
    body: paragraphs(
      HELLO,
      `Your account was banned${WHEN}. You've been signed out and can't sign in again{% if until != "" %} until {{ until }}{% endif %}.{% if until == "" %} The ban has no end date.{% endif %}`,
      REASON,
    ),
    warning: "Your published reports stay public. If you think this is a mistake, write to us.",
    action: "Open {{ product_name }}",
  },
  account_unbanned: {
    subject: "Your {{ product_name }} account is no longer banned",
    body: paragraphs(
      HELLO,
      `The ban on your account ended${WHEN}. You can sign in again with the same password.`,
    ),
    action: "Sign in",
  },
  role_changed: {
    subject: "Your {{ product_name }} role was changed",
    body: paragraphs(
      HELLO,
      `An admin changed your account's role${WHEN} and signed you out everywhere. Please sign in again.`,
    ),
    warning: "If you didn't expect this, write to us.",
    action: "Sign in",
  },
  /** Doesn't repeat what was edited. */
  profile_edited: {
    subject: "Your {{ product_name }} profile was edited",
    body: paragraphs(
      HELLO,
      `An admin changed the name or phone number on your account${WHEN}. Your account settings show the current ones.`,
    ),
    warning: "If something is wrong, change it there or write to us.",
    action: "Open account settings",
  },
  account_removed: {
    subject: "Your {{ product_name }} account was closed",
    body: paragraphs(
      HELLO,
      `An admin closed your account${WHEN} and signed you out everywhere.{% if is_erased != "" %} We'll permanently erase your data within two hours. Reports you submitted stay published, without your name and address.{% endif %}`,
    ),
    warning:
      "This is the last email to this account. If you think this is a mistake, write to us right away.",
    action: "Open {{ product_name }}",
  },
  account_reopened: {
    subject: "Your {{ product_name }} account is open again",
    body: paragraphs(
      HELLO,
      `An admin reopened your account${WHEN}. You can sign in with the same password. Any previous role was not restored.`,
    ),
    warning: "If you didn't expect this, write to us.",
    action: "Sign in",
  },
  /** Goes to admins. Names no one: the audit log does. */
  staff_changed: {
    subject: "A staff account was changed at {{ product_name }}",
    body: paragraphs(
      HELLO,
      `Someone joined or left the staff of {{ product_name }}, or a staff account was reopened, banned or unbanned${WHEN}. The audit log shows who decided it and for which account.`,
    ),
    warning:
      "If none of you did this, tell the operator immediately. Someone may have gained admin access.",
    action: "Open the audit log",
  },
} as const satisfies Readonly<Record<string, ShippedTemplate>>;
