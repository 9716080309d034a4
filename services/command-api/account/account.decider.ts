import { ACCOUNT_KEPT_DAYS, ACCOUNT_LINK_HOURS } from "#contracts/account/deadlines.ts";
import { DomainError } from "#contracts/domain-error.ts";
import type { UserEvent } from "#contracts/events/index.ts";
import type { AccountState } from "#contracts/events/user/account-fold.ts";
import { isKept, type Notifications } from "#contracts/events/user/account-state.ts";
import { linkFrom, type Moment } from "../kernel/command.ts";
import type { AccountCommand, OwnSession } from "./account.commands.ts";
import { decideAccountModeration } from "./account-moderation.decider.ts";
import {
  confirmEmailChange,
  requestEmailChange,
  undoEmailChange,
  withdrawEmailChange,
} from "./email-change.decider.ts";
import { changePassword, requestPasswordReset, setPassword } from "./password.decider.ts";
import { editProfile } from "./profile.decider.ts";
import {
  confirmEmail,
  expire,
  noteRegistration,
  register,
  replace,
  requestEmailConfirmation,
} from "./registration.decider.ts";
import { isClosedToOwner, isReopenedBySignIn } from "./reopening.ts";
import {
  disableTwoFactor,
  enableTwoFactor,
  replaceRecoveryCodes,
  resetTwoFactor,
  spendRecoveryCode,
} from "./two-factor.decider.ts";

/** How long owners can cancel the deletion of their account. No link that undoes a change of address lasts longer. */
const CLOSED_MS = ACCOUNT_KEPT_DAYS * 24 * 3_600_000;
const LINK_MS = ACCOUNT_LINK_HOURS * 3_600_000;
/** Maximum number of an account's valid links, and so of emails that strangers can cause in a day. */
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
    case "RegisterAccount":
      return register(state, command, moment);
    case "ReplaceAccount":
      return replace(state, command.by);
    case "NoteRegistration":
      return noteRegistration(state, moment);
    case "RequestEmailConfirmation":
      return requestEmailConfirmation(owned(state, command.own), moment);
    case "ConfirmEmail":
      if (command.own) owned(state, command.own);
      return confirmEmail(state, command, moment);
    case "RequestPasswordReset":
      return requestPasswordReset(state, command.device, moment);
    case "SetPassword":
      return setPassword(state, command, moment);
    case "ChangePassword":
      return changePassword(owned(state, command.own), command.own);
    case "EditProfile":
      return editProfile(owned(state, command.own), command.edit);
    case "SetNotifications":
      return setNotifications(command.own ? owned(state, command.own) : state, command, moment);
    case "RequestEmailChange":
      return requestEmailChange(owned(state, command.own), command.email, moment);
    case "WithdrawEmailChange":
      return withdrawEmailChange(owned(state, command.own));
    case "ConfirmEmailChange":
      return confirmEmailChange(owned(state, command.own), command, moment);
    case "UndoEmailChange":
      return undoEmailChange(state, command, moment);
    case "ExportAccountData":
      owned(state, command.own);
      return [{ type: "AccountDataExported", data: {} }];
    case "CloseAccount":
      return close(owned(state, command.own), moment);
    case "TakeBackAccount":
      return takeBack(state, command.accountRevision, moment);
    case "RestoreClosing":
      return restoreClosing(state, command);
    case "InviteAccount":
    case "BanAccount":
    case "UnbanAccount":
    case "EndBan":
    case "ChangeAccountRole":
    case "EditAccount":
    case "DeleteAccount":
    case "ReopenAccount":
      return decideAccountModeration(state, command, moment);
    case "EnableTwoFactor":
      return enableTwoFactor(owned(state, command.own), command);
    case "DisableTwoFactor":
      return disableTwoFactor(owned(state, command.own), command.own);
    case "ReplaceRecoveryCodes":
      return replaceRecoveryCodes(owned(state, command.own), command);
    case "ResetTwoFactor":
      return resetTwoFactor(state, command, moment);
    case "UseRecoveryCode":
      return spendRecoveryCode(state, command);
    case "ExpireAccount":
      return expire(state, moment);
    case "ResetPassword":
      // Without a first event the account was never fully added. Adding it again completes it.
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
      return command.isDue && !isDue(state, moment) ? [] : erase(state);
  }
}

/**
 * Returns the account of a session that is still valid at this point.
 * @throws {DomainError} `invalid_token`
 */
export function owned(state: AccountState | undefined, own: OwnSession): AccountState {
  const isOver = state?.ends.some(
    ({ revision, kept }) => revision > own.accountRevision && kept !== own.id,
  );
  if (!state?.profile || isOver) throw sessionOver();
  return state;
}

/** The refusal of anyone whose session has ended. */
export function sessionOver(): DomainError {
  return new DomainError("invalid_token", "Your session has ended. Please sign in again.");
}

/** Requests a link unless enough are valid. An unconfirmed address has no owner who could ask. */
function requestDeviceConfirmation(state: AccountState | undefined, moment: Moment): UserEvent[] {
  if (!state?.profile || !state.confirmed || isClosedToOwner(state, moment.now)) return [];
  const working = state.deviceConfirmations.filter(({ expires_at }) => expires_at > moment.now);
  if (working.length >= SIGN_IN_LINKS) return [];
  return [{ type: "DeviceConfirmationRequested", data: { link: linkFrom(moment, LINK_MS) } }];
}

/** The refusal of a sign-in link that is malformed, forged, expired or used. */
export function signInLinkInvalid(): DomainError {
  return new DomainError("link_invalid", "This sign-in link has already been used or has expired.");
}

/** Closes an account for its owner. Until it is erased, signing in or undoing a change of address reopens it. */
function close(state: AccountState, { now }: Moment): UserEvent[] {
  assertNotStaff(state);
  const erase_at = new Date(Date.parse(now) + CLOSED_MS).toISOString();
  return [{ type: "AccountClosed", data: { by: "owner", erase_at } }];
}

/** Reopens the account at sign-in. No-op if it is banned, or sessions ended after the credentials were checked. */
function takeBack(
  state: AccountState | undefined,
  accountRevision: number,
  { now }: Moment,
): UserEvent[] {
  if (!state || state.banned || !isReopenedBySignIn(state, now)) return [];
  if (state.ends.some(({ revision }) => revision > accountRevision)) return [];
  return [{ type: "AccountReopened", data: { by: "owner" } }];
}

/** Restores the closing, or its cancellation, that a restored log has lost. No-op for staff accounts. */
function restoreClosing(
  state: AccountState | undefined,
  { eraseAt: erase_at, by }: Extract<AccountCommand, { type: "RestoreClosing" }>,
): UserEvent[] {
  if (!state?.profile || isKept(state) || (state.closed?.eraseAt ?? null) === erase_at) return [];
  if (erase_at === null) return [{ type: "AccountReopened", data: { by: "owner" } }];
  return [{ type: "AccountClosed", data: { by, erase_at } }];
}

function isDue(state: AccountState | undefined, { now }: Moment): boolean {
  const { eraseAt } = state?.closed ?? {};
  return eraseAt !== undefined && eraseAt <= now;
}

function assertNotStaff(state: AccountState): void {
  if (isKept(state))
    throw new DomainError(
      "staff_account",
      "Staff accounts are deactivated, not erased, because the history must show who decided",
    );
}

function erase(state: AccountState | undefined): UserEvent[] {
  if (!state) throw new DomainError("account_not_found", "Account not found");
  assertNotStaff(state);
  return state.over === "erased" ? [] : [{ type: "AccountErased", data: {} }];
}

/** Changes the notification settings that differ. No-op for an account that can no longer be reopened. */
export function setNotifications(
  state: AccountState | undefined,
  { own, email, set }: Extract<AccountCommand, { type: "SetNotifications" }>,
  { now }: Moment,
): UserEvent[] {
  if (!state?.profile || isClosedToOwner(state, now)) return [];
  if (!own && state.profile.email !== email) return [];
  const { notifications } = state;
  const changed = (Object.keys(notifications) as (keyof Notifications)[]).filter(
    (name) => set[name] !== undefined && set[name] !== notifications[name],
  );
  if (changed.length === 0) return [];
  const by = own ? "owner" : "unsubscribe_link";
  const values = Object.fromEntries(changed.map((name) => [name, set[name]]));
  return [{ type: "NotificationsSet", data: { by, ...values } }];
}
