import { DomainError } from "#contracts/domain-error.ts";
import type { UserEvent } from "#contracts/events/index.ts";
import type { AccountState } from "#contracts/events/user/account-fold.ts";
import type { SecondFactor } from "#contracts/events/user/account-state.ts";
import type { Moment } from "../kernel/command.ts";
import type { OwnSession, TwoFactorCommand } from "./account.commands.ts";
import { isClosedToOwner } from "./reopening.ts";

/** Number of recovery codes in a set. */
export const RECOVERY_CODES = 10;

type Of<T extends TwoFactorCommand["type"]> = Extract<TwoFactorCommand, { type: T }>;

/** Turns on the second factor: from now on, a sign-in requires a code. */
export function enableTwoFactor(
  state: AccountState,
  { factorId: factor_id, codesId: codes_id, own }: Of<"EnableTwoFactor">,
): UserEvent[] {
  assertTwoFactorOff(state);
  const set = { codes_id, recovery_codes: RECOVERY_CODES };
  return [
    { type: "TwoFactorEnabled", data: { factor_id, method: "totp", ...set } },
    othersEnd(own),
  ];
}

/** Turns off the second factor: the password alone is enough again. */
export function disableTwoFactor(state: AccountState, own: OwnSession): UserEvent[] {
  const { factorId: factor_id } = inForce(state);
  return [{ type: "TwoFactorDisabled", data: { factor_id } }, othersEnd(own)];
}

/** Replaces the recovery codes. */
export function replaceRecoveryCodes(
  state: AccountState,
  { codesId: codes_id }: Of<"ReplaceRecoveryCodes">,
): UserEvent[] {
  inForce(state);
  return [{ type: "RecoveryCodesReplaced", data: { codes_id, recovery_codes: RECOVERY_CODES } }];
}

/** Turns off the second factor for its owner: by an admin or the operator. */
export function resetTwoFactor(
  state: AccountState | undefined,
  { by, reason, told }: Of<"ResetTwoFactor">,
  { now }: Moment,
): UserEvent[] {
  if (by === "self")
    throw new DomainError(
      "forbidden",
      "You can't reset your own two-factor authentication. Turn it off in your account settings.",
    );
  if (!state?.profile || isClosedToOwner(state, now)) throw accountNotFound();
  const { factorId: factor_id } = inForce(state);
  const mailed = told.length > 0 ? { told: [...told] } : {};
  const account = reason === undefined ? {} : { account: { reason } };
  return [
    { type: "TwoFactorReset", data: { factor_id, ...mailed, ...account } },
    { type: "SessionsEnded", data: { cause: "two_factor_changed" } },
  ];
}

/** The refusal if the account does not exist, has ended, or is closed. */
export function accountNotFound(): DomainError {
  return new DomainError("account_not_found", "Account not found.");
}

/** Uses up a recovery code, which works once, from the current set, and not if sessions have been ended since. */
export function spendRecoveryCode(
  state: AccountState | undefined,
  { codesId: codes_id, code, accountRevision }: Of<"UseRecoveryCode">,
): UserEvent[] {
  const { secondFactor, ends = [] } = state ?? {};
  const isUsable = secondFactor?.codesId === codes_id && !secondFactor.used.includes(code);
  if (!isUsable || ends.some(({ revision }) => revision > accountRevision)) throw wrongCode();
  return [{ type: "RecoveryCodeUsed", data: { codes_id, code } }];
}

/** The refusal of a code that is wrong, has been used before, or belongs to someone else. */
export function wrongCode(): DomainError {
  const message =
    "That code is incorrect or has already been used. Wait for a new code and try again.";
  return new DomainError("wrong_code", message, { code: message });
}

/** @throws {DomainError} `two_factor_on` */
export function assertTwoFactorOff({ secondFactor }: AccountState): void {
  if (secondFactor)
    throw new DomainError("two_factor_on", "Two-factor authentication is already on.");
}

/** @throws {DomainError} `two_factor_off` */
export function inForce({ secondFactor }: AccountState): SecondFactor {
  if (!secondFactor) throw new DomainError("two_factor_off", "Two-factor authentication isn't on.");
  return secondFactor;
}

function othersEnd({ id: kept_session_id }: OwnSession): UserEvent {
  return { type: "SessionsEnded", data: { cause: "two_factor_changed", kept_session_id } };
}
