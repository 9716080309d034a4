/** What server and pages say when something about an account succeeded. */
export const ACCOUNT_DONE = {
  verified: "Email verified successfully!",
  resent: "If your address still waits for it, a new confirmation mail is on its way.",
  resetMail: "Password reset email sent! Please check your inbox.",
  reset: "Password reset successfully!",
  changed: "Password changed successfully!",
  profile: "Profile updated successfully!",
  preferences: "Your notifications are saved.",
  factorReset: "Two-factor sign-in was switched off. All sessions of the account have ended.",
  emailAsked: "We have sent a link to your new address. Open it within 24 hours, signed in here.",
  emailKept: "Your email address stays the same. The link does not work any more.",
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
  "There is an account with this address already. Sign in, or ask for a new password.";
/** For the link that confirms an account's address, opened outside of the account's sessions. */
export const PASSWORD_REQUIRED = "Enter the password you chose when you created this account.";
/** For another password than that one. */
export const PASSWORD_DIFFERS = "This isn't the password this account was created with.";
/** For a new address that is the present one. */
export const EMAIL_UNCHANGED = "This is your email address already";
/** For a link that confirms an address which another account has confirmed. */
export const CHANGE_EMAIL_TAKEN = "Another account has this address already.";
