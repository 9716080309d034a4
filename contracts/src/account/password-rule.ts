import type { Problems } from "../report/submission-rules.ts";

/** Fewest and most characters (Unicode code points) of a password. */
export const PASSWORD_LENGTH = { min: 8, max: 1000 } as const;

/** The sentences of one form. The rule is the same for all. */
export interface PasswordWords {
  readonly short: string;
  readonly differ: string;
  readonly missing: Readonly<Record<"password" | "confirmPassword", string>>;
}

const required = (label: string) => `${label} is a required field`;

/** Of registering and of changing a password. */
export const NEW_PASSWORD: PasswordWords = {
  short: "Password must be at least 8 characters",
  differ: "Passwords must match",
  missing: { password: required("Password"), confirmPassword: required("Confirm password") },
};

/** Of the page that a mail's link opens. */
export const RESET_PASSWORD: PasswordWords = {
  short: "Password must be at least 8 characters long",
  differ: "Passwords do not match",
  missing: { password: "Please fill in all fields", confirmPassword: "Please fill in all fields" },
};

export const PASSWORD_LETTERS =
  "Password must contain at least one uppercase letter, one lowercase letter, and one number";
/** Said by the server alone, which has the list. */
export const PASSWORD_COMMON = "This password is too common. Please choose another one.";

/** What is wrong with a password; undefined when nothing is that a form can see. */
export function passwordProblem(
  password: string,
  words: PasswordWords = NEW_PASSWORD,
): string | undefined {
  const { length } = [...password];
  if (length < PASSWORD_LENGTH.min) return words.short;
  if (length > PASSWORD_LENGTH.max)
    return `Password must be at most ${PASSWORD_LENGTH.max} characters`;
  const hasAll = [/\p{Lu}/u, /\p{Ll}/u, /\p{Nd}/u].every((kind) => kind.test(password));
  return hasAll ? undefined : PASSWORD_LETTERS;
}

/** What is wrong with a new password and its repetition, by the field's name on the wire. */
export function newPasswordProblems(
  payload: { readonly password?: unknown; readonly confirmPassword?: unknown },
  words: PasswordWords = NEW_PASSWORD,
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
