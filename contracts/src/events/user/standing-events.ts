import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";
import { Instant } from "../instant.ts";
import { OneTimeLink } from "../one-time-link.ts";
import { AccountBlind, Address, Id, Text } from "./account-state.ts";
import { AccountRole } from "./user-events.ts";

/* What staff decide about an account: who it is invited as, whether it may act, and as what. */

/** Most admins whom an event names. */
export const MOST_TOLD = 100;

/** Accounts of the admins who get an email about it. The log doesn't know who is an admin now. */
const Told = Type.Optional(Type.Array(Id, { minItems: 1, maxItems: MOST_TOLD, uniqueItems: true }));

/**
 * Staff invited someone: an account with an unconfirmed address and no password. Its link sets a
 * password, confirms the address and keeps the names.
 */
export const AccountInvited = defineEvent(
  "AccountInvited",
  1,
  strict({ role: AccountRole, link: OneTimeLink, told: Told }),
  {
    account: strict({
      email: Address,
      first_name: Text,
      last_name: Text,
      phone: Type.Optional(Text),
      company: Type.Optional(Text),
      blind: AccountBlind,
    }),
  },
  { required: ["account"] },
);

/**
 * Bans the account until `until` or until staff unban it; replaces any earlier ban. `SessionsEnded`
 * follows in the same append.
 */
export const AccountBanned = defineEvent(
  "AccountBanned",
  1,
  strict({
    /** Absent: it has no end. */
    until: Type.Optional(Instant),
    /** The rule that asked for it, where it was not decided by hand. */
    reason_code: Type.Optional(Type.String({ pattern: "^[a-z0-9_]{1,40}$" })),
    told: Told,
  }),
  /** Why, in words for the owner. */
  { account: strict({ reason: Text }) },
  { required: ["account"] },
);

/** The ban ended. Nothing else changed: an unconfirmed address stays unconfirmed. */
export const AccountUnbanned = defineEvent(
  "AccountUnbanned",
  1,
  strict({
    /** `end`: the time of the ban was over. */
    by: Type.Enum(["staff", "end"]),
    told: Told,
  }),
  {},
);

/**
 * The account is open again. Its owner signed in before it was erased, or staff reopened it. Role,
 * password, second factor and ban are as the closing left them. Links emailed before are void.
 */
export const AccountReopened = defineEvent(
  "AccountReopened",
  1,
  strict({ by: Type.Enum(["owner", "admin"]), told: Told }),
  {},
);

/** `SessionsEnded` follows in the same append, or `AccountClosed` if a staff account is deleted. */
export const AccountRoleChanged = defineEvent(
  "AccountRoleChanged",
  1,
  strict({ from: AccountRole, to: AccountRole, told: Told }),
  {},
);

export const standingDefinitions = [
  AccountInvited,
  AccountBanned,
  AccountUnbanned,
  AccountReopened,
  AccountRoleChanged,
] as const;
