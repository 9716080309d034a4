import type { Problems } from "../report/submission-rules.ts";

/** Minimum and maximum length of a password, in Unicode code points. */
export const PASSWORD_LENGTH = { min: 8, max: 1000 } as const;

/** Messages of one form. The rule is the same in all forms. */
export interface PasswordMessages {
  readonly short: string;
  readonly differ: string;
  readonly missing: Readonly<Record<"password" | "confirmPassword", string>>;
}

const required = (label: string) => `${label} is a required field`;

/** For registration and password changes. */
const NEW_PASSWORD: PasswordMessages = {
  short: "Password must be at least 8 characters",
  differ: "Passwords must match",
  missing: { password: required("Password"), confirmPassword: required("Confirm password") },
};

/** For the page that an emailed link opens. */
export const RESET_PASSWORD: PasswordMessages = {
  short: "Password must be at least 8 characters long",
  differ: "Passwords do not match",
  missing: { password: "Please fill in all fields", confirmPassword: "Please fill in all fields" },
};

export const PASSWORD_LETTERS =
  "Password must contain at least one uppercase letter, one lowercase letter, and one number";
/** Minimum length of a staff account's new password, in characters. */
export const STAFF_PASSWORD_MIN = 12;
export const PASSWORD_STAFF = `Staff passwords must have at least ${STAFF_PASSWORD_MIN} characters`;

/**
 * Returns the password requirements that a form shows up front. `unknown`: the link does not reveal the account
 * type.
 */
export function passwordHint(whose: "user" | "staff" | "unknown"): string {
  const { min } = PASSWORD_LENGTH;
  const least = {
    user: `At least ${min} characters`,
    staff: `At least ${STAFF_PASSWORD_MIN} characters`,
    unknown: `At least ${min} characters (${STAFF_PASSWORD_MIN} for staff accounts)`,
  }[whose];
  return `${least}, with an uppercase letter, a lowercase letter and a number.`;
}

/** Returns the problem with a password, or undefined if a form can't detect any. */
export function passwordProblem(
  password: string,
  words: PasswordMessages = NEW_PASSWORD,
): string | undefined {
  const { length } = [...password];
  if (length < PASSWORD_LENGTH.min) return words.short;
  if (length > PASSWORD_LENGTH.max)
    return `Password must be at most ${PASSWORD_LENGTH.max} characters`;
  const hasAll = [/\p{Lu}/u, /\p{Ll}/u, /\p{Nd}/u].every((kind) => kind.test(password));
  return hasAll ? undefined : PASSWORD_LETTERS;
}

/** Validates a new password and its confirmation. Returns messages by wire name. */
export function newPasswordProblems(
  payload: { readonly password?: unknown; readonly confirmPassword?: unknown },
  words: PasswordMessages = NEW_PASSWORD,
): Problems {
  const { password, confirmPassword } = payload;
  const problems: Problems = {};
  if (isMissing(password)) problems.password = words.missing.password;
  else if (typeof password === "string") {
    const problem = passwordProblem(password, words);
    if (problem) problems.password = problem;
  }
  if (isMissing(confirmPassword)) problems.confirmPassword = words.missing.confirmPassword;
  else if (confirmPassword !== password) problems.confirmPassword = words.differ;
  return problems;
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}
