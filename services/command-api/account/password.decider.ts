import { RESET_LINK_MINUTES } from "#contracts/account/deadlines.ts";
import { DomainError } from "#contracts/domain-error.ts";
import type { UserEvent } from "#contracts/events/index.ts";
import type { AccountState } from "#contracts/events/user/account-fold.ts";
import type { AccountProfile } from "#contracts/events/user/account-state.ts";
import { linkFrom, type Moment } from "../kernel/command.ts";
import type { CredentialCommand, OwnSession } from "./account.commands.ts";
import { isClosedToOwner } from "./reopening.ts";

/** How long a link to set a password is valid. */
export const RESET_LINK_MS = RESET_LINK_MINUTES * 60_000;
/** Maximum number of valid links from browsers that the account knows, and the same from others. */
export const RESET_LINKS = 3;

type SetPassword = Extract<CredentialCommand, { type: "SetPassword" }>;

/** Sends a link unless enough are valid. Strangers cannot use up the owner's links. */
export function requestPasswordReset(
  state: AccountState | undefined,
  from: "known" | "unknown",
  moment: Moment,
): UserEvent[] {
  if (!state?.profile || isLocked(state, moment.now)) return [];
  const { invitation } = state;
  if (invitation && invitation.expires_at <= moment.now) return [];
  // Before the address is confirmed, a known browser belongs to whoever registered it.
  const device = state.confirmed ? from : "unknown";
  const working = state.passwordResets.filter(
    (link) => link.delivery === "mail" && link.device === device && link.expires_at > moment.now,
  );
  if (working.length >= RESET_LINKS) return [];
  // Invited users get the same link again, because only that one makes the account theirs.
  const link = invitation ?? linkFrom(moment, RESET_LINK_MS);
  return [{ type: "PasswordResetRequested", data: { link, delivery: "mail", device } }];
}

/** Sets a password with a link, which also confirms the address. If it was unconfirmed, drops what was set before. */
export function setPassword(
  state: AccountState | undefined,
  { linkId: link_id, blind }: SetPassword,
  { now }: Moment,
): UserEvent[] {
  const open = state?.passwordResets.find((link) => link.link_id === link_id);
  if (!state?.profile || !open || open.expires_at <= now || isLocked(state, now))
    throw resetInvalid();
  const by = state.invitation ? "invitation" : "reset_link";
  const changed: UserEvent = { type: "PasswordChanged", data: { by, link_id } };
  if (!isUnconfirmed(state))
    return [changed, { type: "SessionsEnded", data: { cause: "password_changed" } }];
  const account = confirmedAddress(state, blind);
  // The data of an invited account was entered by staff, so it can be trusted.
  const dropped = !state.invitation;
  return [
    { type: "EmailConfirmed", data: { by, link_id, dropped, account } },
    changed,
    { type: "SessionsEnded", data: { cause: "email_confirmed" } },
  ];
}

/** Whether a link must not set a password. Owners who deleted their account need one to reopen it. */
function isLocked(state: AccountState, now: string): boolean {
  return state.closed !== undefined && (!state.confirmed || isClosedToOwner(state, now));
}

/** Sets a new password; the owner's session continues. */
export function changePassword(_: AccountState, { id }: OwnSession): UserEvent[] {
  return [
    { type: "PasswordChanged", data: { by: "owner" } },
    { type: "SessionsEnded", data: { cause: "password_changed", kept_session_id: id } },
  ];
}

/** The refusal of a link that is malformed, forged, expired, used, or void. */
export function resetInvalid(): DomainError {
  return new DomainError(
    "link_invalid",
    "Failed to reset password. The link may be invalid or expired.",
  );
}

/** Builds the account data of `EmailConfirmed`. */
export function confirmedAddress(
  { profile }: { readonly profile: AccountProfile },
  blind: { readonly email: string } | undefined,
) {
  if (!blind) throw new TypeError("a confirmation needs the blind index of the address");
  return { email: profile.email, blind };
}

/** Whether the account is open and its address still unconfirmed. */
export function isUnconfirmed(
  state: AccountState | undefined,
): state is AccountState & { readonly profile: AccountProfile } {
  return !!state?.profile && !state.confirmed && !state.over && !state.closed;
}
