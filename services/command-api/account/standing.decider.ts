import { INVITATION_DAYS } from "#contracts/account/deadlines.ts";
import { DomainError, refusalOf } from "#contracts/domain-error.ts";
import type { OpenData } from "#contracts/events/definition.ts";
import type { UserEvent } from "#contracts/events/index.ts";
import type { AccountState } from "#contracts/events/user/account-fold.ts";
import { isKept } from "#contracts/events/user/account-state.ts";
import { type AccountInvited, MOST_TOLD } from "#contracts/events/user/user-events.ts";
import { given } from "#contracts/given.ts";
import type { EditProfile, Role } from "#contracts/http/account.ts";
import { linkFrom, type Moment } from "../kernel/command.ts";
import { editProfile } from "./profile.decider.ts";
import { isShut } from "./taken-back.ts";
import { accountNotFound } from "./two-factor.decider.ts";

type Of<T extends StandingCommand["type"]> = Extract<StandingCommand, { type: T }>;

/** How long the link of an invitation works. */
export const INVITATION_MS = INVITATION_DAYS * 24 * 3_600_000;
/** How far away the end of a ban may be. A longer one has none. */
const BAN_YEARS = 10;
/** How long a deleted account waits for its erasure, and its last email for being sent. */
const DELETED_MS = 30 * 60_000;

/** Decides what staff do with an account. */
export function decideStanding(
  state: AccountState | undefined,
  command: StandingCommand,
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
  const data = { ...given({ until, reason_code }), ...told(state.wasStaff, admins) };
  return [
    { type: "AccountBanned", data: { ...data, account: { reason } } },
    { type: "SessionsEnded", data: { cause: "banned" } },
  ];
}

function unban({ banned, wasStaff }: AccountState, { admins }: Of<"UnbanAccount">): UserEvent[] {
  if (!banned) return [];
  return [{ type: "AccountUnbanned", data: { by: "staff", ...told(wasStaff, admins) } }];
}

/** Its time is over: nothing where staff were first, or gave it another end. */
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
  // The person who gave it that role ended its sessions too.
  if (account.role === role) throw changedMeanwhile();
  return [...editProfile(account, profile), ...changeRole(account, { role, admins })];
}

/** Who confirms an address may be another person than who registered it, so only an invitation gives a role before. */
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

/** An account of staff is kept, since histories name it. Its role ends first, which the admins are told. */
function remove(
  state: AccountState,
  { ownerId, admins }: Of<"DeleteAccount">,
  { now }: Moment,
): UserEvent[] {
  const soon = new Date(Date.parse(now) + DELETED_MS).toISOString();
  const erase_at = isKept(state) ? undefined : soon;
  const closed: UserEvent = {
    type: "AccountClosed",
    data: { by: "admin", ...given({ erase_at }) },
  };
  const { role: from } = state;
  if (from === "user") return [closed];
  const others = admins.filter((id) => id !== ownerId);
  return [
    { type: "AccountRoleChanged", data: { from, to: "user", ...told(true, others) } },
    closed,
  ];
}

/** Only of an account that staff closed and that is kept: what its owner closed stays closed. */
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

/** An account that is there, or that its owner can take back, as its sender has seen it. */
function seen(
  state: AccountState | undefined,
  { seen: revision }: { readonly seen: number | undefined },
  { now }: Moment,
): AccountState {
  if (!state?.profile) throw accountNotFound();
  if (isShut(state, now)) throw accountClosed();
  if (revision !== undefined && revision !== state.factsRevision) throw changedMeanwhile();
  return state;
}

/** What waits for its deletion keeps names and role: one of staff would never be erased. */
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

/** The same, of an account that is neither the sender's own nor of an admin who gave them their role within 24 hours. */
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

/** Emails to admins, where staff is concerned. */
function told(concernsStaff: boolean, admins: readonly string[]) {
  return given({
    told: concernsStaff && admins.length > 0 ? admins.slice(0, MOST_TOLD) : undefined,
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

/** What every decision of staff about an account names. */
interface Decided {
  readonly ownerId: string;
  /** The admin who decides and those who gave them their role lately, see `grantChain`; no one where a rule does. */
  readonly by: readonly string[];
  /** `factsRevision` of the account as it was seen; undefined where that does not matter. */
  readonly seen: number | undefined;
}

/** Admins who are mailed where the account is one of staff, or becomes one. */
interface Telling {
  readonly admins: readonly string[];
}

/** What staff decide about accounts; see `Credentials`. */
export type StandingCommand =
  | ({
      readonly type: "InviteAccount";
      readonly role: Role;
      readonly account: NonNullable<OpenData<typeof AccountInvited>["account"]>;
    } & Telling)
  | ({
      readonly type: "BanAccount";
      readonly reason: string;
      /** The rule that asks for it. */
      readonly reasonCode: string | undefined;
      /** RFC 3339; undefined for a ban without an end. */
      readonly until: string | undefined;
    } & Decided &
      Telling)
  | ({ readonly type: "UnbanAccount" } & Decided & Telling)
  | ({ readonly type: "EndBan" } & Telling)
  | ({ readonly type: "ChangeAccountRole"; readonly role: Role } & Decided & Telling)
  | ({
      readonly type: "EditAccount";
      readonly edit: EditProfile;
      /** Another role than it had when it was read; undefined where that stays. */
      readonly role: Role | undefined;
    } & Decided &
      Telling)
  | ({ readonly type: "DeleteAccount" } & Decided & Telling)
  | ({ readonly type: "ReopenAccount" } & Decided & Telling);
