import { ACCOUNT_LINK_HOURS, EMAIL_UNDO_DAYS } from "#contracts/account/deadlines.ts";
import { DomainError } from "#contracts/domain-error.ts";
import type { UserEvent } from "#contracts/events/index.ts";
import type { AccountState } from "#contracts/events/user/account-fold.ts";
import type { Notifications, Undo } from "#contracts/events/user/account-state.ts";
import { linkFrom, type Moment } from "../kernel/command.ts";
import type { CredentialCommand } from "./account.commands.ts";
import { RESET_LINK_MS } from "./password.decider.ts";

const DAY_MS = 24 * 3_600_000;
const LINK_MS = ACCOUNT_LINK_HOURS * 3_600_000;
const UNDO_MS = EMAIL_UNDO_DAYS * DAY_MS;
/** A second factor set up within this time before a change may belong to the person who made the change. */
const SUSPECT_MS = 7 * DAY_MS;

type Of<T extends CredentialCommand["type"]> = Extract<CredentialCommand, { type: T }>;

/** Sends a link to the new address. Any earlier link is void. */
export function requestEmailChange(_: AccountState, email: string, moment: Moment): UserEvent[] {
  const link = linkFrom(moment, LINK_MS);
  return [{ type: "EmailChangeRequested", data: { link, account: { email } } }];
}

/** Cancels the pending change; its link is void. */
export function withdrawEmailChange({ emailChange }: AccountState): UserEvent[] {
  return emailChange ? [{ type: "EmailChangeWithdrawn", data: {} }] : [];
}

/** Makes the new address the account's. If the previous one was confirmed, it can undo that for a week. */
export function confirmEmailChange(
  state: AccountState,
  { linkId: link_id, own, blind }: Of<"ConfirmEmailChange">,
  moment: Moment,
): UserEvent[] {
  const email = wantedEmail(state, link_id, moment.now);
  const former_email = state.profile?.email;
  if (!blind || !former_email) throw new TypeError("a change needs both addresses");
  const account = { email, blind };
  const undo_link = linkFrom(moment, state.confirmed ? UNDO_MS : 0);
  const changed: UserEvent = {
    type: "EmailChanged",
    data: { link_id, undo_link, account: { ...account, former_email } },
  };
  const confirmed: UserEvent = {
    type: "EmailConfirmed",
    data: { by: "link", link_id, dropped: false, account },
  };
  return [
    changed,
    ...(state.confirmed ? [] : [confirmed]),
    { type: "SessionsEnded", data: { cause: "email_changed", kept_session_id: own.id } },
  ];
}

/**
 * Recovers the account for its previous address, even if the intruder has closed it as its owner. A closing by
 * staff and a ban stay. The response contains a link to set a password.
 * @returns no events if the second factor differs from the one that the command expects.
 */
export function undoEmailChange(
  state: AccountState | undefined,
  { linkId: link_id, factor, blind }: Of<"UndoEmailChange">,
  moment: Moment,
): UserEvent[] {
  const { undo, formerEmail: email } = openUndo(state, link_id, moment.now);
  if (!state || !blind) throw new TypeError("an undo needs the blind index of the address");
  if (factor?.since !== state.secondFactor?.since) return [];
  const link = linkFrom(moment, RESET_LINK_MS);
  return [
    {
      type: "EmailChangeUndone",
      data: { link_id, two_factor: factorAfter(undo, factor), account: { email, blind } },
    },
    ...settingsOf(undo, state),
    { type: "PasswordResetRequested", data: { link, delivery: "answer", device: "unknown" } },
    { type: "SessionsEnded", data: { cause: "account_recovered" } },
  ];
}

/** Returns the address that a link confirms. @throws {DomainError} `link_invalid` */
export function wantedEmail(
  { emailChange, closed }: AccountState,
  linkId: string,
  now: string,
): string {
  const isOpen = emailChange?.link.link_id === linkId && emailChange.link.expires_at > now;
  if (!isOpen || !emailChange.email || closed) throw changeInvalid();
  return emailChange.email;
}

/** Returns the change that a link undoes. @throws {DomainError} `link_invalid` */
export function openUndo(
  state: AccountState | undefined,
  linkId: string,
  now: string,
): { readonly undo: Undo; readonly formerEmail: string } {
  const undo = state?.undos.find(({ link }) => link.link_id === linkId);
  if (!undo?.formerEmail || undo.link.expires_at <= now || !state?.profile) throw undoInvalid();
  if (state.closed && !state.closed.byOwner) throw undoInvalid();
  return { undo, formerEmail: undo.formerEmail };
}

/** When a second factor was set up, or last got new recovery codes. */
export interface FactorAge {
  readonly since: number;
  /** Time of that event, RFC 3339. */
  readonly at: string;
}

/** Drops a second factor from after the change, or the week before it: it may be an intruder's. */
function factorAfter({ link }: Undo, factor: FactorAge | undefined) {
  if (!factor) return "kept";
  const suspectFrom = Date.parse(link.expires_at) - UNDO_MS - SUSPECT_MS;
  return Date.parse(factor.at) > suspectFrom ? "dropped" : "kept";
}

/** Restores the settings from before the change, where they differ. */
function settingsOf({ notifications }: Undo, state: AccountState): UserEvent[] {
  const names = Object.keys(notifications) as (keyof Notifications)[];
  const other = names.filter((name) => notifications[name] !== state.notifications[name]);
  if (other.length === 0) return [];
  const set = Object.fromEntries(other.map((name) => [name, notifications[name]]));
  return [{ type: "NotificationsSet", data: { by: "owner", ...set } }];
}

/** The refusal of a link that is malformed, forged, expired, used, void, or another account's. */
export function changeInvalid(): DomainError {
  return new DomainError(
    "link_invalid",
    "This link has already been used, has expired, or belongs to another account.",
  );
}

/** The refusal of an undo link that is malformed, forged, expired, used or void. */
export function undoInvalid(): DomainError {
  return new DomainError("link_invalid", "This link has already been used or has expired.");
}
