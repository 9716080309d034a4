import type { Static } from "typebox";
import type { SignInFailed } from "../events/security/security-events.ts";

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
