import { HELLO, paragraphs, type ShippedTemplate, WHEN } from "./shipped-template.ts";

const NOT_ME =
  "If it wasn't you, someone has your password and is signed in. Set a new password right away: that ends all sessions. Then write to us.";

/** Mails about the second factor of an account, to its owner and to admins. */
export const twoFactorTemplates = {
  two_factor_on: {
    subject: "Two-factor sign-in for {{ product_name }} was switched on",
    body: paragraphs(
      HELLO,
      `Two-factor sign-in was switched on for your account${WHEN}. From now on a sign-in needs a code of the authenticator, or a recovery code. Other sessions of the account have ended.`,
    ),
    warning: NOT_ME,
    action: "This wasn't me",
  },
  two_factor_off: {
    subject: "Two-factor sign-in for {{ product_name }} was switched off",
    body: paragraphs(
      HELLO,
      `Two-factor sign-in was switched off for your account${WHEN}. From now on your password alone is enough to sign in. Other sessions of the account have ended.`,
    ),
    warning: NOT_ME,
    action: "This wasn't me",
  },
  recovery_codes_replaced: {
    subject: "New recovery codes for {{ product_name }}",
    body: paragraphs(
      HELLO,
      `New recovery codes were made for your account${WHEN}. The former ones do not work any more.`,
    ),
    warning: NOT_ME,
    action: "This wasn't me",
  },
  recovery_code_used: {
    subject: "A recovery code for {{ product_name }} was used",
    body: paragraphs(
      HELLO,
      `Somebody signed in to your account with its password and a recovery code${WHEN}. That code does not work any more.`,
    ),
    warning: NOT_ME,
    action: "This wasn't me",
  },
  two_factor_reset: {
    subject: "Two-factor sign-in for {{ product_name }} was reset",
    body: paragraphs(
      HELLO,
      `We switched two-factor sign-in off for your account${WHEN}, because somebody told us that device and recovery codes are lost. All sessions of the account have ended, and your password alone is enough to sign in. Please set two-factor sign-in up again in your account settings.`,
    ),
    warning: "If you didn't ask for this, set a new password right away and write to us.",
    action: "This wasn't me",
  },
  /** To admins. It names nobody: the audit log does. */
  two_factor_reset_told: {
    subject: "A second factor at {{ product_name }} was reset",
    body: paragraphs(
      HELLO,
      `An admin or the operator switched two-factor sign-in off for an account of {{ product_name }}${WHEN}. The audit log says who did it, and for which account.`,
    ),
    warning:
      "If none of you did this, tell the operator immediately. Someone may have gained admin access.",
    action: "Open the audit log",
  },
} as const satisfies Readonly<Record<string, ShippedTemplate>>;
