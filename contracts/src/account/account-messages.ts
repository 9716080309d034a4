import type { Static } from "typebox";
import type { SignInFailed } from "../events/security-events.ts";
import type { Notifications } from "../events/user/account-state.ts";
import { ACCOUNT_LINK_HOURS } from "./deadlines.ts";

/** Success messages for account actions, shared by the server and the pages. */
export const ACCOUNT_DONE = {
  verified: "Email verified successfully!",
  resent: "If your address still needs to be confirmed, we've sent a new link.",
  resetMail: "Password reset email sent! Please check your inbox.",
  reset: "Password reset successfully!",
  changed: "Password changed successfully!",
  profile: "Profile updated successfully!",
  preferences: "Notification settings saved.",
  factorReset: "Two-factor authentication was turned off. The account was signed out everywhere.",
  emailAsked: `We've sent a link to your new address. Open it within ${ACCOUNT_LINK_HOURS} hours while you're signed in here.`,
  emailKept: "Your email address stays the same. The link no longer works.",
  emailChanged: "Email address changed successfully!",
  emailUndone: "Your account has its previous email address back.",
  deleted: "Your account will be deleted. Sign in before then to keep it.",
  kept: "Welcome back. We canceled the deletion of your account.",
} as const;

/** Messages for failures whose response has no message of its own. */
export const ACCOUNT_FAILED = {
  login: "Login failed",
  register: "Registration failed",
  verifyLink: "Invalid verification link",
  verify: "Verification failed. The link may be invalid or expired.",
  resetMail: "Failed to send reset email",
  reset: "Failed to reset password",
  profile: "Profile update failed",
  change: "Failed to change password",
  email: "Failed to change email address",
} as const;

/** Messages for requests that got no response. */
export const ACCOUNT_UNANSWERED = {
  verify: "An error occurred during verification. Please try again later.",
  resetMail: "Failed to send reset email. Please try again.",
  reset: "Failed to reset password. The link may be invalid or expired.",
  profile: "Failed to update profile. Please try again.",
  change: "Failed to change password. Please try again.",
  email: "Failed to change email address. Please try again.",
} as const;

/** Shown when the response to a profile update lacks the saved profile. */
export const PROFILE_NOT_RETURNED = "Failed to update profile";

/** Shown when a password reset is requested without an address. */
export const RESET_EMAIL_MISSING = "Please enter your email address";
/** Shown when registering with an address that another account has confirmed. */
export const EMAIL_TAKEN =
  "You already have an account with this address. Sign in, or reset your password.";
/** Shown when a confirmation link is opened outside the account's sessions. */
export const PASSWORD_REQUIRED = "Enter the password you chose when you created this account.";
/** Shown when the password is not the one the account was created with. */
export const PASSWORD_DIFFERS = "This isn't the password this account was created with.";
/** Shown when the new address is the current one. */
export const EMAIL_UNCHANGED = "This is already your email address";
/** Shown for a confirmation link whose address another account has confirmed. */
export const CHANGE_EMAIL_TAKEN = "Another account already uses this address.";

/** Emails that users can turn on and off, in the order of the settings page. */
export const NOTIFICATION_LABELS = {
  decisions: {
    label: "Decisions on my reports",
    help: "We'll email you when one of your reports is approved, rejected or put under review.",
  },
  same_person: {
    label: "New reports about people I reported",
    help: "We'll email you when someone else's report is published about a person in one of your published reports.",
  },
  weekly_summary: {
    label: "Weekly summary",
    help: "Every Monday we'll email you your reports' views and decisions, and new reports about the same people. We skip weeks with no news.",
  },
} as const satisfies Partial<
  Record<keyof Notifications, { readonly label: string; readonly help: string }>
>;
export type NotificationName = keyof typeof NOTIFICATION_LABELS;

/** Account statuses as staff see them, with labels. */
export const USER_STATUSES = {
  active: "Active",
  pending: "Pending",
  banned: "Banned",
  deactivated: "Deactivated",
} as const;
export type UserStatus = keyof typeof USER_STATUSES;

/** Labels of account roles. */
export const USER_ROLES = { user: "User", admin: "Admin", auditor: "Auditor" } as const;

/** Maximum length of a ban reason, in characters. */
export const BAN_REASON_LENGTH = 500;
/** Page sizes of the user list. */
export const USER_PAGE_SIZES = [5, 10, 25] as const;

/** `pending`: address unconfirmed. `deactivated`: closed; a banned account that its owner closed is `banned`. */
export function userStatus({
  closed,
  banned,
  confirmed,
}: {
  readonly closed?: { readonly byOwner: boolean } | undefined;
  readonly banned?: unknown;
  readonly confirmed: boolean;
}): UserStatus {
  if (closed && !(banned && closed.byOwner)) return "deactivated";
  if (banned) return "banned";
  return confirmed ? "active" : "pending";
}

type Cause = Static<typeof SignInFailed.clear>["cause"];

/** Causes of failed sign-ins to existing accounts, with labels for staff. */
export const SIGN_IN_CAUSES = {
  wrong_password: "Wrong password",
  wrong_code: "Right password, wrong code",
  code_reused: "Right password, a code that was used before",
  link_required: "Too many attempts from unknown devices",
  inactive_account: "Right password, account banned or closed",
  banned: "Right password, account banned",
} as const satisfies Readonly<Record<Exclude<Cause, "unknown_account">, string>>;
