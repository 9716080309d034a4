import { type Static, Type } from "typebox";
import {
  BAN_REASON_LENGTH,
  SIGN_IN_CAUSES,
  USER_PAGE_SIZES,
  USER_ROLES,
  USER_STATUSES,
} from "../account/account-messages.ts";
import { GivenInstant } from "../events/instant.ts";
import { codes, Email, isCalendarDate, strict } from "../report/fields.ts";
import { Register, Role } from "./account.ts";
import type { CommandRow } from "./command-row.ts";
import { reply } from "./envelope.ts";

/** Accounts, for admins. Commands are below this path. */
export const ADMIN_USERS = "/prod/api/admin/users";

const opt = Type.Optional;
const UserId = Type.String({ format: "uuid" });
const Status = codes(USER_STATUSES);
const { first_name, last_name, phone } = Register.properties;
/** The account's `revision` that the sender saw: 409 `account_changed` if it has changed since. */
const seen = { revision: opt(Type.Integer({ minimum: 0, maximum: 2 ** 31 })) };

/** The day must exist, because databases reject others. */
const BanEnd = Type.Refine(
  GivenInstant,
  (value) => isCalendarDate(value.slice(0, 10)),
  () => "Choose a valid date",
);

interface UserRow extends CommandRow {
  /** When a recent password is required. `role`: only with a role in the body. */
  readonly proof: "always" | "role" | "never";
}

/** All staff commands about accounts. */
export const USER_COMMANDS = {
  invite: {
    type: "InviteAccount",
    title: "Add a user",
    method: "POST",
    path: "",
    body: strict({ email: Email, first_name, last_name, phone, role: Role }),
    summary: "Add an account; emails its owner a link to set a password",
    done: "User added. An invitation was sent.",
    proof: "always",
  },
  edit: {
    type: "EditAccount",
    title: "Edit a user",
    method: "PUT",
    path: "/:id",
    body: strict({
      first_name: opt(first_name),
      last_name: opt(last_name),
      phone: opt(Type.Union([phone, Type.Null()])),
      role: opt(Role),
      ...seen,
    }),
    summary: "Change the name, phone or role of an account, but not its address or password",
    done: "User updated",
    proof: "role",
  },
  delete: {
    type: "DeleteAccount",
    title: "Delete a user",
    method: "DELETE",
    path: "/:id",
    body: strict(seen),
    summary:
      "Close an account permanently; staff accounts are kept, others are erased within two hours",
    done: "User deleted",
    proof: "always",
  },
  reopen: {
    type: "ReopenAccount",
    title: "Reopen a user's account",
    method: "POST",
    path: "/:id/reopen",
    body: strict(seen),
    summary: "Reopen a closed staff account, without a staff role",
    done: "Account reopened",
    proof: "always",
  },
  ban: {
    type: "BanAccount",
    title: "Ban a user",
    method: "POST",
    path: "/:id/ban",
    body: strict({
      reason: Type.String({ minLength: 1, maxLength: BAN_REASON_LENGTH }),
      /** Absent for a permanent ban. */
      until: opt(BanEnd),
      ...seen,
    }),
    summary: "Ban an account until a time or permanently; ends its sessions",
    done: "User banned. All sessions have ended.",
    proof: "always",
  },
  unban: {
    type: "UnbanAccount",
    title: "Unban a user",
    method: "POST",
    path: "/:id/unban",
    body: strict(seen),
    summary: "Unban an account",
    done: "User unbanned",
    proof: "always",
  },
  role: {
    type: "ChangeAccountRole",
    title: "Change a user's role",
    method: "PUT",
    path: "/:id/role",
    body: strict({ role: Role, ...seen }),
    summary: "Change an account's role; ends its sessions",
    done: "Role changed. All sessions have ended.",
    proof: "always",
  },
} as const satisfies Readonly<Record<string, UserRow>>;

type Rows = typeof USER_COMMANDS;
export type UserCommandName = keyof Rows;
export type UserCommandBody<N extends UserCommandName> = Static<Rows[N]["body"]>;

/** An account after a command. */
export const UserCommandReply = reply(
  strict({ id: UserId, status: Status, role: Role, revision: Type.Integer() }),
);

const listed = {
  id: UserId,
  first_name: Type.String(),
  last_name: Type.String(),
  /** Masked: `q***@***`. */
  email: Type.String(),
  role: Role,
  status: Status,
  /** Its own reports that are not deleted. */
  reports_count: Type.Integer(),
  created_at: Type.String(),
  /** Absent before the first sign-in. */
  last_login: opt(Type.String()),
  /** Whether staff can reopen it. */
  reopenable: Type.Boolean(),
  /** Whether its owner deleted it and can still cancel that by signing in. */
  waiting: Type.Boolean(),
  /** When a ban ends; absent without one, and for a permanent one. */
  banned_until: opt(Type.String()),
  /** Sent back with a command, to detect concurrent changes. */
  revision: Type.Integer(),
};

/** A row of the admins' list. */
export const ListedUser = strict(listed);
export type ListedUser = Static<typeof ListedUser>;

/** GET /prod/api/admin/users */
export const UsersQuery = strict({
  page: opt(Type.Integer({ minimum: 1, maximum: 10_000, default: 1 })),
  limit: opt(Type.Integer({ minimum: 1, maximum: Math.max(...USER_PAGE_SIZES), default: 10 })),
  /** Parts of the name, or the whole address. */
  search: opt(Type.String({ maxLength: 200 })),
  status: opt(
    Type.Enum(["all", ...(Object.keys(USER_STATUSES) as (keyof typeof USER_STATUSES)[])]),
  ),
  role: opt(Type.Enum(["all", ...(Object.keys(USER_ROLES) as (keyof typeof USER_ROLES)[])])),
});
export type UsersQuery = Static<typeof UsersQuery>;
export const UsersReply = reply(
  strict({
    users: Type.Array(ListedUser),
    /** Counted up to 10,000. */
    total: Type.Integer(),
    page: Type.Integer(),
    limit: Type.Integer(),
  }),
);

/** GET /prod/api/admin/users/{id} */
export const UserRecord = strict({
  ...listed,
  /** Masked: `(***) ***-****`. */
  phone: opt(Type.String()),
  confirmed: Type.Boolean(),
  two_factor: Type.Boolean(),
  /** Reason, start, end and author of its ban. */
  ban: opt(
    strict({
      reason: Type.String(),
      at: Type.String(),
      until: opt(Type.String()),
      by: opt(Type.String()),
    }),
  ),
  /** When a deleted account is erased. */
  erase_at: opt(Type.String()),
  /** Where it is signed in, newest first; at most 20. */
  sessions: Type.Array(
    strict({
      started_at: Type.String(),
      last_used_at: Type.String(),
      device: opt(Type.String()),
      /** Only the network. */
      network: opt(Type.String()),
    }),
  ),
  /** Failed sign-ins of the last months, newest first; at most 20. */
  failed_sign_ins: Type.Array(
    strict({
      at: Type.String(),
      cause: codes(SIGN_IN_CAUSES),
      device: opt(Type.String()),
      /** Only the network. */
      network: opt(Type.String()),
    }),
  ),
  /** Its reports, newest first; at most 20. */
  reports: Type.Array(
    strict({
      id: UserId,
      first_name: Type.String(),
      last_name: Type.String(),
      title: Type.String(),
      status: Type.String(),
      created_at: Type.String(),
    }),
  ),
});
export type UserRecord = Static<typeof UserRecord>;
export const UserRecordReply = reply(UserRecord);

/** POST /prod/api/admin/users/{id}/reveal: the account's profile, unmasked. */
export const RevealUserReply = reply(
  strict({
    email: Type.String(),
    first_name: Type.String(),
    last_name: Type.String(),
    phone: opt(Type.String()),
    company: opt(Type.String()),
    website: opt(Type.String()),
    job_title: opt(Type.String()),
    bio: opt(Type.String()),
  }),
);
export type RevealedUser = Static<typeof RevealUserReply>["data"];
