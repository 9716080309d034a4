import { INVITATION_DAYS } from "#contracts/account/deadlines.ts";
import { HELLO, paragraphs, REASON, type ShippedTemplate, WHEN } from "./shipped-template.ts";

/** Emails about what staff decide about an account, to its owner and to admins. */
export const standingTemplates = {
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
  /** To admins. Names no one: the audit log does. */
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
