import { HELLO, paragraphs, REASON, type ShippedTemplate, WHEN } from "./shipped-template.ts";

/** Mails about what staff decide about an account, to its owner and to admins. */
export const standingTemplates = {
  account_invited: {
    subject: "You are invited to {{ product_name }}",
    body: paragraphs(
      "Hello,",
      "An admin of {{ product_name }} created an account for you with this address. Set a password to start using it: that also confirms that the address is yours.",
    ),
    warning:
      "The link works once, within seven days. If you didn't expect an invitation, you can ignore this email: unless a password is set, we'll delete the account when the link expires.",
    action: "Set my password",
  },
  account_banned: {
    subject: "Your account at {{ product_name }} was banned",
    body: paragraphs(
      HELLO,
      `Your account was banned${WHEN}: nobody can sign in to it, and its sessions have ended. {% if until != "" %}It ends on {{ until }}.{% else %}It has no end date.{% endif %}`,
      REASON,
    ),
    warning: "Reports that were published stay. If you think this is a mistake, write to us.",
    action: "Open {{ product_name }}",
  },
  account_unbanned: {
    subject: "Your account at {{ product_name }} is no longer banned",
    body: paragraphs(
      HELLO,
      `The ban of your account ended${WHEN}. You can sign in again, with the same password.`,
    ),
    action: "Sign in",
  },
  role_changed: {
    subject: "Your role at {{ product_name }} was changed",
    body: paragraphs(
      HELLO,
      `An admin gave your account another role${WHEN}. All of its sessions have ended: please sign in again.`,
    ),
    warning: "If you did not expect that, write to us.",
    action: "Sign in",
  },
  /** It repeats nothing of what was edited. */
  profile_edited: {
    subject: "Your profile at {{ product_name }} was edited",
    body: paragraphs(
      HELLO,
      `An admin changed the name or phone number of your account${WHEN}. Your account settings show them as they are now.`,
    ),
    warning: "If something is wrong, you can change it there, or write to us.",
    action: "Open my account settings",
  },
  account_removed: {
    subject: "Your account at {{ product_name }} was closed",
    body: paragraphs(
      HELLO,
      `An admin closed your account${WHEN}, and its sessions have ended.{% if is_erased != "" %} What it holds about you is erased within two hours. Reports that it sent stay, without your name and address.{% endif %}`,
    ),
    warning:
      "This is the last mail to this account. If you think this is a mistake, write to us at once.",
    action: "Open {{ product_name }}",
  },
  account_reopened: {
    subject: "Your account at {{ product_name }} is open again",
    body: paragraphs(
      HELLO,
      `An admin opened your account again${WHEN}. You can sign in with the same password. A role that it had is not given back by that.`,
    ),
    warning: "If you did not expect that, write to us.",
    action: "Sign in",
  },
  /** To admins. It names nobody: the audit log does. */
  staff_changed: {
    subject: "An account of staff at {{ product_name }} was changed",
    body: paragraphs(
      HELLO,
      `Somebody became or stopped being a member of staff of {{ product_name }}, an account of one was opened again, or the ban of one began or ended${WHEN}. The audit log says who decided it, and about which account.`,
    ),
    warning:
      "If none of you did this, tell the operator immediately. Someone may have gained admin access.",
    action: "Open the audit log",
  },
} as const satisfies Readonly<Record<string, ShippedTemplate>>;
