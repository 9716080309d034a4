import { dictionary } from "@zxcvbn-ts/language-common";
import {
  newPasswordProblems,
  PASSWORD_COMMON,
  type PasswordWords,
} from "#contracts/account/password-rule.ts";
import { invalidRequest } from "#http/validation.ts";

/**
 * The passwords that people use most, some 40,000, in small letters. Pages of the site have no such
 * list: it is larger than all that they load.
 */
const COMMON: ReadonlySet<string> = new Set(dictionary["passwords-common"]);

/** Whether a password is one of the most used, in whatever case. */
export function isCommon(password: string): boolean {
  return COMMON.has(password.normalize("NFKC").toLowerCase());
}

/**
 * Refuses a new password that breaks the rule, in the words of its form.
 * @throws {DomainError} `invalid_request`
 */
export function checkNewPassword(
  payload: { readonly password?: unknown; readonly confirmPassword?: unknown },
  words?: PasswordWords,
): void {
  const problems = newPasswordProblems(payload, words);
  const { password } = payload;
  if (!problems.password && typeof password === "string" && isCommon(password))
    problems.password = PASSWORD_COMMON;
  if (Object.keys(problems).length > 0) throw invalidRequest(problems);
}
