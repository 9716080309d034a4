import type { UserStatus } from "#contracts/account/account-messages.ts";
import type { Role } from "#contracts/http/account.ts";
import type { Sealed } from "#contracts/sealed.ts";
import { vacuumSoon } from "#runtime/db/migrate.ts";
import { withoutStatistics } from "../without-statistics.ts";
import type { SealedAccountPart } from "./account.ts";
import type { Json, NullableTimestamp, Timestamp } from "./column-types.ts";

/** An active ban. */
export interface BanColumn {
  /** RFC 3339 */
  readonly at: string;
  readonly by: string;
  /** RFC 3339; null for a permanent ban. */
  readonly until: string | null;
  /** Holds the reason. */
  readonly said: SealedAccountPart;
}

/** `users.user`: accounts as staff see them. Names are in the clear because staff search them, the rest is masked. */
export interface UserTable {
  id: string;
  role: Role;
  /** Derived from the next three. */
  status: UserStatus;
  confirmed: boolean;
  /** Null while it is open. Its owner can cancel their own closing until it is erased. */
  closed_by: "owner" | "staff" | null;
  ban: Json<BanColumn | null>;
  erase_at: NullableTimestamp;
  first_name: string;
  last_name: string;
  /** Masked; empty once the account's key is destroyed. */
  email: string;
  /** Blind index of the address; null if its event has none. */
  email_blind: string | null;
  /** Masked. */
  phone: string | null;
  two_factor: boolean;
  created_at: Timestamp;
  last_sign_in_at: NullableTimestamp;
  /** As in `accounts.account`. */
  owns_after: string;
  /** Revision of the last event that changed what staff see; see `CHANGES_FACTS`. */
  facts_revision: number;
}

/** `users.figure_standing`: number of accounts with a row in `users.user`. */
export interface FigureAccountStatusTable {
  status: UserStatus;
  role: Role;
  accounts: number;
}

/** Incremented with every change to these tables. An older layout triggers a rebuild. */
export const USERS_LAYOUT = 5;

/** Columns that name a person. */
const NAMING_COLUMNS = ["first_name", "last_name", "email", "email_blind", "phone"] as const;

/**
 * SQL for the last sign-in of a row named `u`; before all times if there was none, so that rows compare without
 * nulls.
 */
export const SIGNED_IN = "coalesce(u.last_sign_in_at, '-infinity'::timestamptz)";

/** SQL for the text in which parts of names are searched, over a row named `u`. */
export const USER_NAMES = "(u.first_name || ' ' || u.last_name)";

export function createUserTables(schema: string): string {
  return `
    create table ${schema}.user (
      id uuid primary key,
      role text not null,
      status text not null,
      confirmed boolean not null,
      closed_by text,
      ban jsonb,
      erase_at timestamptz,
      first_name text not null,
      last_name text not null,
      email text not null,
      email_blind text,
      phone text,
      two_factor boolean not null,
      created_at timestamptz not null,
      last_sign_in_at timestamptz,
      owns_after text collate "C" not null,
      facts_revision int not null
    );
    ${withoutStatistics(`${schema}.user`, NAMING_COLUMNS)}
    create table ${schema}.figure_standing (
      status text not null,
      role text not null,
      accounts int not null,
      primary key (status, role)
    );
    ${vacuumSoon(`${schema}.figure_standing`)}
    ${createFailedSignInTable(schema)}
  `;
}

export function createUserIndexes(schema: string): string {
  return `
    create index user_newest on ${schema}.user (created_at desc, id desc);
    create index user_by_status on ${schema}.user (status, created_at desc, id desc);
    create index user_by_role on ${schema}.user (role, created_at desc, id desc);
    create index user_by_sign_in on ${schema}.user ((${SIGNED_IN.replaceAll("u.", "")}) desc, id desc);
    create index user_by_name on ${schema}.user (last_name, id);
    create index user_by_email on ${schema}.user (email_blind) where email_blind is not null;
    create index user_by_part_of_name on ${schema}.user
      using gin ((${USER_NAMES.replaceAll("u.", "")}) public.gin_trgm_ops);
    alter index ${schema}.user_by_part_of_name alter column 1 set statistics 0;
    ${createFailedSignInIndexes(schema)}
  `;
}

/**
 * `users.failed_sign_in`: failed sign-ins to existing accounts. The typed address is not stored, and the account
 * can be identified only with the month's key. Once that is destroyed, a row identifies no one: the projector
 * removes it, and a rebuild leaves it out.
 */
export interface FailedSignInTable {
  position: string;
  at: Timestamp;
  cause: string;
  /** `failedSignInIndex` of the account, under the key of the event's month. */
  account_index: string;
  event_id: string;
  stream: string;
  schema_version: number;
  /** As in `audit.entry`. */
  client: Json<Sealed | null>;
}

function createFailedSignInTable(schema: string): string {
  return `
    create table ${schema}.failed_sign_in (
      position text collate "C" primary key,
      at timestamptz not null,
      cause text not null,
      account_index text collate "C" not null,
      event_id uuid not null,
      stream text not null,
      schema_version int not null,
      client jsonb
    );
  `;
}

function createFailedSignInIndexes(schema: string): string {
  return `
    create index failed_sign_in_by_account on ${schema}.failed_sign_in (account_index, position desc);
    create index failed_sign_in_by_time on ${schema}.failed_sign_in (at);
  `;
}
