import type { Static } from "typebox";
import type { SignInFailed } from "../events/security-events.ts";
import type { Notifications } from "../events/user/account-state.ts";
import { ACCOUNT_LINK_HOURS } from "./deadlines.ts";

/** What server and pages say when something about an account succeeded. */
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

/** What pages say when the server's refusal has no sentence. */
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

/** What pages say when there was no reply. */
export const ACCOUNT_UNANSWERED = {
  verify: "An error occurred during verification. Please try again later.",
  resetMail: "Failed to send reset email. Please try again.",
  reset: "Failed to reset password. The link may be invalid or expired.",
  profile: "Failed to update profile. Please try again.",
  change: "Failed to change password. Please try again.",
  email: "Failed to change email address. Please try again.",
} as const;

/** When a saved profile is not told in the reply. */
export const PROFILE_NOT_TOLD = "Failed to update profile";

/** For the form that requests a reset without an address. */
export const RESET_EMAIL_MISSING = "Please enter your email address";
/** For a registration with an address that another account has confirmed. */
export const EMAIL_TAKEN =
  "You already have an account with this address. Sign in, or reset your password.";
/** For the link that confirms an account's address, opened outside of the account's sessions. */
export const PASSWORD_REQUIRED = "Enter the password you chose when you created this account.";
/** For another password than that one. */
export const PASSWORD_DIFFERS = "This isn't the password this account was created with.";
/** For a new address that is the present one. */
export const EMAIL_UNCHANGED = "This is already your email address";
/** For a link that confirms an address which another account has confirmed. */
export const CHANGE_EMAIL_TAKEN = "Another account already uses this address.";

/** The emails that an account can turn on and off, in the order of the settings. */
export const NOTIFICATION_WORDS = {
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
export type NotificationName = keyof typeof NOTIFICATION_WORDS;

/** How an account stands, as staff see it, each with its word. */
export const USER_STATUSES = {
  active: "Active",
  pending: "Pending",
  banned: "Banned",
  deactivated: "Deactivated",
} as const;
export type UserStatus = keyof typeof USER_STATUSES;

/** Words for the roles of accounts. */
export const USER_ROLES = { user: "User", admin: "Admin", auditor: "Auditor" } as const;

/** Most characters of the reason of a ban. */
export const BAN_REASON_LENGTH = 500;
/** How many users a page of the list has. */
export const USER_PAGE_SIZES = [5, 10, 25] as const;

/** `pending`: address unconfirmed. `deactivated`: closed; one banned by staff is `banned` while it can be reopened. */
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

/** Why a sign-in to an account that exists failed, each with its words for staff. */
export const SIGN_IN_CAUSES = {
  wrong_password: "Wrong password",
  wrong_code: "Right password, wrong code",
  code_reused: "Right password, a code that was used before",
  link_required: "Too many attempts from unknown devices",
  inactive_account: "Right password, account banned or closed",
  banned: "Right password, account banned",
} as const satisfies Readonly<Record<Exclude<Cause, "unknown_account">, string>>;
