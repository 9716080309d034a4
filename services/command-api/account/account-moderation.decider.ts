import { INVITATION_DAYS } from "#contracts/account/deadlines.ts";
import { DomainError, refusalOf } from "#contracts/domain-error.ts";
import type { OpenData } from "#contracts/events/definition.ts";
import type { UserEvent } from "#contracts/events/index.ts";
import type { AccountState } from "#contracts/events/user/account-fold.ts";
import { isKept } from "#contracts/events/user/account-state.ts";
import { type AccountInvited, MAX_NOTIFIED_ADMINS } from "#contracts/events/user/user-events.ts";
import type { EditProfile, Role } from "#contracts/http/account.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { linkFrom, type Moment } from "../kernel/command.ts";
import { editProfile } from "./profile.decider.ts";
import { isClosedToOwner } from "./reopening.ts";
import { accountNotFound } from "./two-factor.decider.ts";

type Of<T extends AccountModerationCommand["type"]> = Extract<
  AccountModerationCommand,
  { type: T }
>;

/** How long an invitation's link is valid. */
export const INVITATION_MS = INVITATION_DAYS * 24 * 3_600_000;
/** Maximum length of a ban with an end. */
const BAN_YEARS = 10;
/** How long a deleted account waits to be erased, so that its last email can be sent. */
const DELETED_MS = 30 * 60_000;

/** Decides all commands by staff about an account. */
export function decideAccountModeration(
  state: AccountState | undefined,
  command: AccountModerationCommand,
  moment: Moment,
): UserEvent[] {
  switch (command.type) {
    case "InviteAccount":
      return invite(state, command, moment);
    case "EndBan":
      return endBan(state, command, moment);
    case "EditAccount":
      return edit(state, command, moment);
    case "BanAccount":
      return ban(others(state, command, moment), command, moment);
    case "UnbanAccount":
      return unban(seen(state, command, moment), command);
    case "ChangeAccountRole":
      return changeRole(others(state, command, moment), command);
    case "DeleteAccount":
      return remove(others(state, command, moment), command, moment);
    case "ReopenAccount":
      return reopen(state, command);
  }
}

function invite(
  state: AccountState | undefined,
  { role, account, admins }: Of<"InviteAccount">,
  moment: Moment,
): UserEvent[] {
  if (state) return [];
  const link = linkFrom(moment, INVITATION_MS);
  return [
    { type: "AccountInvited", data: { role, link, ...told(role !== "user", admins), account } },
  ];
}

function ban(
  state: AccountState,
  { reason, reasonCode: reason_code, until, admins }: Of<"BanAccount">,
  { now }: Moment,
): UserEvent[] {
  if (until !== undefined && (until <= now || until > yearsAfter(now))) throw endInvalid();
  const { banned } = state;
  if (banned && banned.until === until && banned.reason === reason) return [];
  const data = { ...omitUndefined({ until, reason_code }), ...told(state.wasStaff, admins) };
  return [
    { type: "AccountBanned", data: { ...data, account: { reason } } },
    { type: "SessionsEnded", data: { cause: "banned" } },
  ];
}

function unban({ banned, wasStaff }: AccountState, { admins }: Of<"UnbanAccount">): UserEvent[] {
  if (!banned) return [];
  return [{ type: "AccountUnbanned", data: { by: "staff", ...told(wasStaff, admins) } }];
}

/** Lifts an expired ban. No-op if staff have already lifted it or changed its end. */
function endBan(
  state: AccountState | undefined,
  { admins }: Of<"EndBan">,
  { now }: Moment,
): UserEvent[] {
  const { until } = state?.banned ?? {};
  if (!state?.profile || until === undefined || until > now) return [];
  return [{ type: "AccountUnbanned", data: { by: "end", ...told(state.wasStaff, admins) } }];
}

function edit(
  state: AccountState | undefined,
  command: Of<"EditAccount">,
  moment: Moment,
): UserEvent[] {
  const { edit: profile, role, admins } = command;
  if (role === undefined) return editProfile(open(seen(state, command, moment)), profile);
  const account = open(others(state, command, moment));
  // The person who gave it that role has already ended its sessions.
  if (account.role === role) throw changedMeanwhile();
  return [...editProfile(account, profile), ...changeRole(account, { role, admins })];
}

/**
 * The person who confirms an address may not be the one who registered it. So before it is confirmed, only an
 * invited account can get a staff role.
 */
function changeRole(
  account: AccountState,
  { role: to, admins }: Pick<Of<"ChangeAccountRole">, "role" | "admins">,
): UserEvent[] {
  const { role: from, confirmed, invitation } = open(account);
  if (from === to) return [];
  if (to !== "user" && !confirmed && !invitation)
    throw new DomainError(
      "account_unconfirmed",
      "This address hasn't been confirmed. Invite it instead.",
    );
  return [
    { type: "AccountRoleChanged", data: { from, to, ...told(true, admins) } },
    { type: "SessionsEnded", data: { cause: "role_changed" } },
  ];
}

/**
 * Staff accounts are kept because histories refer to them. Removing the role comes first, and notifies the admins.
 */
function remove(
  state: AccountState,
  { ownerId, admins }: Of<"DeleteAccount">,
  { now }: Moment,
): UserEvent[] {
  const soon = new Date(Date.parse(now) + DELETED_MS).toISOString();
  const erase_at = isKept(state) ? undefined : soon;
  const closed: UserEvent = {
    type: "AccountClosed",
    data: { by: "admin", ...omitUndefined({ erase_at }) },
  };
  const { role: from } = state;
  if (from === "user") return [closed];
  const others = admins.filter((id) => id !== ownerId);
  return [
    { type: "AccountRoleChanged", data: { from, to: "user", ...told(true, others) } },
    closed,
  ];
}

/** Reopens only an account that staff closed and that is kept. One that its owner closed stays closed. */
function reopen(
  state: AccountState | undefined,
  { seen: revision, admins }: Of<"ReopenAccount">,
): UserEvent[] {
  if (!state?.profile) throw accountNotFound();
  const { closed } = state;
  if (!closed) return [];
  if (closed.byOwner || closed.eraseAt !== undefined) throw accountClosed();
  if (revision !== undefined && revision !== state.factsRevision) throw changedMeanwhile();
  return [{ type: "AccountReopened", data: { by: "admin", ...told(true, admins) } }];
}

/** Asserts that the account is open, or can be reopened by its owner, and unchanged since the sender saw it. */
function seen(
  state: AccountState | undefined,
  { seen: revision }: { readonly seen: number | undefined },
  { now }: Moment,
): AccountState {
  if (!state?.profile) throw accountNotFound();
  if (isClosedToOwner(state, now)) throw accountClosed();
  if (revision !== undefined && revision !== state.factsRevision) throw changedMeanwhile();
  return state;
}

/** Accounts waiting to be erased keep their names and role: a staff account would never be erased. */
function open(state: AccountState): AccountState {
  if (state.closed) throw accountClosed();
  return state;
}

function accountClosed(): DomainError {
  return new DomainError("account_closed", "This account was deleted. Nothing was changed.");
}

function changedMeanwhile(): DomainError {
  return new DomainError(
    "account_changed",
    "Someone else changed this account in the meantime. Nothing was overwritten.",
  );
}

/**
 * Like {@link seen}, but also refuses the sender's own account, and that of an admin who gave them their role
 * within the last 24 hours.
 */
function others(
  state: AccountState | undefined,
  command: Of<"BanAccount" | "ChangeAccountRole" | "EditAccount" | "DeleteAccount">,
  moment: Moment,
): AccountState {
  if (command.by.includes(command.ownerId)) {
    const isOwn = command.by[0] === command.ownerId;
    const whose = isOwn ? "This is your own account" : "This admin gave you your role today";
    throw new DomainError(
      "own_account",
      `${whose}: another admin has to do this. Nothing was changed.`,
    );
  }
  return seen(state, command, moment);
}

/** Admins to notify of changes to a staff account. */
function told(concernsStaff: boolean, admins: readonly string[]) {
  return omitUndefined({
    told: concernsStaff && admins.length > 0 ? admins.slice(0, MAX_NOTIFIED_ADMINS) : undefined,
  });
}

function yearsAfter(now: string): string {
  const most = new Date(now);
  most.setUTCFullYear(most.getUTCFullYear() + BAN_YEARS);
  return most.toISOString();
}

function endInvalid(): DomainError {
  return refusalOf({ until: `Please choose a time in the future, within ${BAN_YEARS} years` });
}

/** Fields of every decision by staff about an account. */
interface Decided {
  readonly ownerId: string;
  /**
   * The admin who decides, and those who recently gave them their role, see `grantChain`; empty if a rule decides.
   */
  readonly by: readonly string[];
  /** The account's `factsRevision` as the sender saw it; undefined if it does not matter. */
  readonly seen: number | undefined;
}

/** Admins to notify if the account is, or becomes, a staff account. */
interface AdminRecipients {
  readonly admins: readonly string[];
}

/** Decisions by staff about accounts; see `Credentials`. */
export type AccountModerationCommand =
  | ({
      readonly type: "InviteAccount";
      readonly role: Role;
      readonly account: NonNullable<OpenData<typeof AccountInvited>["account"]>;
    } & AdminRecipients)
  | ({
      readonly type: "BanAccount";
      readonly reason: string;
      /** The rule that requires the ban. */
      readonly reasonCode: string | undefined;
      /** RFC 3339; undefined for a permanent ban. */
      readonly until: string | undefined;
    } & Decided &
      AdminRecipients)
  | ({ readonly type: "UnbanAccount" } & Decided & AdminRecipients)
  | ({ readonly type: "EndBan" } & AdminRecipients)
  | ({ readonly type: "ChangeAccountRole"; readonly role: Role } & Decided & AdminRecipients)
  | ({
      readonly type: "EditAccount";
      readonly edit: EditProfile;
      /** A new role; undefined if it stays the same. */
      readonly role: Role | undefined;
    } & Decided &
      AdminRecipients)
  | ({ readonly type: "DeleteAccount" } & Decided & AdminRecipients)
  | ({ readonly type: "ReopenAccount" } & Decided & AdminRecipients);
