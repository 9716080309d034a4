import { RESET_LINK_MINUTES } from "#contracts/account/deadlines.ts";
import { DomainError } from "#contracts/domain-error.ts";
import type { UserEvent } from "#contracts/events/index.ts";
import type { AccountState } from "#contracts/events/user/account-fold.ts";
import type { AccountProfile } from "#contracts/events/user/account-state.ts";
import { linkFrom, type Moment } from "../kernel/command.ts";
import type { CredentialCommand, OwnSession } from "./account.commands.ts";
import { isShut } from "./taken-back.ts";

/** How long a link to set a password works. */
export const RESET_LINK_MS = RESET_LINK_MINUTES * 60_000;
/** Such links that work at once: those that browsers asked for which the account knows, and others. */
export const RESET_LINKS = 3;

type SetPassword = Extract<CredentialCommand, { type: "SetPassword" }>;

/** Has a link mailed, unless enough of them work already. Strangers use up none of those that the owner asks for. */
export function requestPasswordReset(
  state: AccountState | undefined,
  from: "known" | "unknown",
  moment: Moment,
): UserEvent[] {
  if (!state?.profile || isLocked(state, moment.now)) return [];
  const { invitation } = state;
  if (invitation && invitation.expires_at <= moment.now) return [];
  // Before the address is confirmed, the known browser is that of the person who registered it.
  const device = state.confirmed ? from : "unknown";
  const working = state.passwordResets.filter(
    (link) => link.delivery === "mail" && link.device === device && link.expires_at > moment.now,
  );
  if (working.length >= RESET_LINKS) return [];
  // Anyone who is invited gets the same link once more: no other one makes the account theirs.
  const link = invitation ?? linkFrom(moment, RESET_LINK_MS);
  return [{ type: "PasswordResetRequested", data: { link, delivery: "mail", device } }];
}

/** A new password by a link, which confirms the address; unconfirmed before, everything earlier is void. */
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
  // Staff wrote what an invited account holds; no one else could.
  const dropped = !state.invitation;
  return [
    { type: "EmailConfirmed", data: { by, link_id, dropped, account } },
    changed,
    { type: "SessionsEnded", data: { cause: "email_confirmed" } },
  ];
}

/** Whether a mailed link sets no password. One that its owner deleted needs it to be taken back. */
function isLocked(state: AccountState, now: string): boolean {
  return state.closed !== undefined && (!state.confirmed || isShut(state, now));
}

/** A new password by its owner, whose session goes on. */
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

/** The part of `EmailConfirmed`. */
export function confirmedAddress(
  { profile }: { readonly profile: AccountProfile },
  blind: { readonly email: string } | undefined,
) {
  if (!blind) throw new TypeError("a confirmation needs the blind index of the address");
  return { email: profile.email, blind };
}

/** Whether the account is there, and its address not yet confirmed. */
export function isUnconfirmed(
  state: AccountState | undefined,
): state is AccountState & { readonly profile: AccountProfile } {
  return !!state?.profile && !state.confirmed && !state.over && !state.closed;
}
