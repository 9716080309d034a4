import { expect, it } from "vitest";
import { ACCOUNT_DONE, ACCOUNT_FAILED, ACCOUNT_UNANSWERED } from "./account-words.ts";

it("says what the catalogue of messages says, to the letter", () => {
  expect(ACCOUNT_DONE).toMatchObject({
    verified: "Email verified successfully!",
    resetMail: "Password reset email sent! Please check your inbox.",
    reset: "Password reset successfully!",
    profile: "Profile updated successfully!",
  });
  expect(ACCOUNT_FAILED).toMatchObject({
    login: "Login failed",
    register: "Registration failed",
    verifyLink: "Invalid verification link",
    verify: "Verification failed. The link may be invalid or expired.",
    resetMail: "Failed to send reset email",
    reset: "Failed to reset password",
    profile: "Profile update failed",
  });
  expect(ACCOUNT_UNANSWERED).toMatchObject({
    verify: "An error occurred during verification. Please try again later.",
    resetMail: "Failed to send reset email. Please try again.",
    reset: "Failed to reset password. The link may be invalid or expired.",
    profile: "Failed to update profile. Please try again.",
  });
});
