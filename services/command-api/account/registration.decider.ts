import { PASSWORD_REQUIRED } from "#contracts/account/account-messages.ts";
import { ACCOUNT_LINK_HOURS } from "#contracts/account/deadlines.ts";
import { DomainError } from "#contracts/domain-error.ts";
import type { UserEvent } from "#contracts/events/index.ts";
import type { AccountState } from "#contracts/events/user/account-fold.ts";
import { normaliseEmail } from "#search/matching.ts";
import { linkFrom, type Moment } from "../kernel/command.ts";
import type { CredentialCommand } from "./account.commands.ts";
import { confirmedAddress, isUnconfirmed, RESET_LINK_MS } from "./password.decider.ts";
import { isClosedToOwner } from "./reopening.ts";

const LINK_MS = ACCOUNT_LINK_HOURS * 3_600_000;
/** Maximum number of an account's valid links. */
export const CONFIRMATION_LINKS = 5;
/** Minimum time between two emails about attempts to register an address. */
const QUIET_MS = 24 * 3_600_000;

type Register = Extract<CredentialCommand, { type: "RegisterAccount" }>;
type ConfirmEmail = Extract<CredentialCommand, { type: "ConfirmEmail" }>;

export function register(
  state: AccountState | undefined,
  { account, termsVersion }: Register,
  moment: Moment,
): UserEvent[] {
  if (state) return [];
  const link = linkFrom(moment, LINK_MS);
  const data = { terms_version: termsVersion, link, account };
  return [{ type: "AccountRegistered", data }];
}

/**
 * Replaces an account whose address is unconfirmed. A ban stays. An account that its owner deleted is erased
 * instead, so that it does not keep an unconfirmed address.
 */
export function replace(state: AccountState | undefined, replaced_by: string): UserEvent[] {
  if (state?.banned) return [];
  if (state?.profile && !state.confirmed && state.closed?.byOwner)
    return [{ type: "AccountErased", data: {} }];
  if (!isUnconfirmed(state)) return [];
  return [{ type: "AccountReplaced", data: { replaced_by } }];
}

/**
 * Expires an unconfirmed account. An invitation lives as long as its link, so that no one joins staff with an old
 * one.
 */
export function expire(state: AccountState | undefined, { now }: Moment): UserEvent[] {
  const isOpen = state?.invitation !== undefined && state.invitation.expires_at > now;
  return isUnconfirmed(state) && !isOpen ? [{ type: "AccountExpired", data: {} }] : [];
}

/** Notifies the owner, at most once a day, that someone tried to register their address. */
export function noteRegistration(state: AccountState | undefined, { now }: Moment): UserEvent[] {
  if (!state?.profile || !state.confirmed || isClosedToOwner(state, now)) return [];
  if (state.quietUntil !== undefined && state.quietUntil > now) return [];
  const quiet_until = new Date(Date.parse(now) + QUIET_MS).toISOString();
  return [{ type: "RegistrationAttempted", data: { quiet_until } }];
}

/** Sends another link unless enough are valid. */
export function requestEmailConfirmation(state: AccountState, moment: Moment): UserEvent[] {
  if (state.confirmed || state.closed) return [];
  const working = state.emailConfirmations.filter(({ expires_at }) => expires_at > moment.now);
  if (working.length >= CONFIRMATION_LINKS) return [];
  return [{ type: "EmailConfirmationRequested", data: { link: linkFrom(moment, LINK_MS) } }];
}

/**
 * Confirms the address. Without the account's session or password, does so only on request, and then drops what was
 * set before.
 */
export function confirmEmail(
  state: AccountState | undefined,
  { linkId: link_id, own, startsOver, ofReplaced, blind }: ConfirmEmail,
  moment: Moment,
): UserEvent[] {
  const isOpen = ofReplaced
    ? isSame(ofReplaced.email, state?.profile?.email)
    : state?.emailConfirmations.some((link) => link.link_id === link_id);
  if (!isOpen || !isUnconfirmed(state) || state.invitation) throw confirmationInvalid();
  const dropped = own === undefined;
  if (dropped && !startsOver) throw new DomainError("password_required", PASSWORD_REQUIRED);
  const account = confirmedAddress(state, blind);
  const confirmed: UserEvent = {
    type: "EmailConfirmed",
    data: { by: "link", link_id, dropped, account },
  };
  if (!dropped) return [confirmed];
  const link = linkFrom(moment, RESET_LINK_MS);
  return [
    confirmed,
    {
      type: "PasswordResetRequested",
      data: { link, delivery: "answer", device: "unknown" },
    },
    { type: "SessionsEnded", data: { cause: "email_confirmed" } },
  ];
}

/** Whether a link to the old address also proves the current one. Assumed if the old one is no longer known. */
function isSame(former: string | null, present: string | undefined): boolean {
  return former === null || (!!present && normaliseEmail(former) === normaliseEmail(present));
}

/** The refusal of a link that is malformed, forged, expired or used. */
export function confirmationInvalid(): DomainError {
  return new DomainError(
    "link_invalid",
    "Verification failed. The link may be invalid or expired.",
  );
}
