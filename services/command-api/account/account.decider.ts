import { DomainError } from "#contracts/domain-error.ts";
import type { UserEvent } from "#contracts/events/index.ts";
import type { AccountState } from "#contracts/events/user/account-fold.ts";
import { linkFrom, type Moment } from "../kernel/command.ts";
import type { AccountCommand } from "./account.commands.ts";

/** How long a sign-in link is valid. */
const LINK_MS = 24 * 3_600_000;
/**
 * Maximum number of an account's valid links, and so of mails that strangers can cause in a day.
 */
export const SIGN_IN_LINKS = 5;

/** Decides all commands about an account. */
export function decideAccount(
  state: AccountState | undefined,
  command: AccountCommand,
  moment: Moment,
): UserEvent[] {
  switch (command.type) {
    case "AddAccount":
      return state ? [] : [{ type: "AccountAdded", data: command.account }];
    case "ResetPassword":
      // Without its first event the account was never completely added. Adding it again completes
      // it.
      return state ? [{ type: "PasswordReset", data: {} }] : [];
    case "SignOutEverywhere":
      return state ? [{ type: "SessionsEnded", data: { cause: "signed_out" } }] : [];
    case "RequestDeviceConfirmation":
      return requestDeviceConfirmation(state, moment);
    case "ConfirmDevice": {
      const { linkId: link_id } = command;
      const isOpen = state?.deviceConfirmations.some((link) => link.link_id === link_id);
      if (!isOpen) throw signInLinkInvalid();
      return [{ type: "DeviceConfirmed", data: { link_id } }];
    }
    case "EraseAccount":
      return erase(state);
  }
}

/** Requests a mail with a link for the account's owner, unless enough links are still valid. */
function requestDeviceConfirmation(state: AccountState | undefined, moment: Moment): UserEvent[] {
  if (!state?.profile) return [];
  const working = state.deviceConfirmations.filter(({ expires_at }) => expires_at > moment.now);
  if (working.length >= SIGN_IN_LINKS) return [];
  return [{ type: "DeviceConfirmationRequested", data: { link: linkFrom(moment, LINK_MS) } }];
}

/** The refusal of a sign-in link that is malformed, forged, expired or used. */
export function signInLinkInvalid(): DomainError {
  return new DomainError(
    "link_invalid",
    "This sign-in link was used before or has expired. Sign in again to get another one.",
  );
}

function erase(state: AccountState | undefined): UserEvent[] {
  if (!state) throw new DomainError("account_not_found", "There is no such account");
  if (state.role !== "user") {
    throw new DomainError(
      "staff_account",
      "Accounts of staff are deactivated, not erased: the history must say who decided",
    );
  }
  return state.over === "erased" ? [] : [{ type: "AccountErased", data: {} }];
}
