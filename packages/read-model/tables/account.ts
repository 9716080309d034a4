import type { AccountEnd, Notifications } from "#contracts/events/user/account-state.ts";
import type { Role } from "#contracts/http/account.ts";
import type { Sealed } from "#contracts/sealed.ts";
import type { Json, NullableTimestamp, Timestamp } from "./column-types.ts";

/** The part `account` of an event of the account's stream, and what is needed to open it. */
export interface SealedAccountPart {
  readonly event_id: string;
  readonly event_type: string;
  readonly schema_version: number;
  /** As the event holds it. */
  readonly account: Sealed;
}

/** `accounts.account`: what an account's history says of it, without its credentials. */
export interface AccountTable {
  id: string;
  role: Role;
  /** `closed`: no one can sign in, and it is erased at `erase_at` if that is known. The others are over. */
  status: "active" | "closed" | AccountEnd;
  confirmed: boolean;
  /** When the account's first address was confirmed; null before. */
  confirmed_at: NullableTimestamp;
  two_factor: boolean;
  /** Recovery codes that no one used; null without a second factor. */
  recovery_codes_left: number | null;
  notifications: Json<Notifications>;
  created_at: Timestamp;
  /** Null before the first sign-in. */
  last_sign_in_at: NullableTimestamp;
  erase_at: NullableTimestamp;
  /** Reports submitted at a later position are the account's own: a confirmation then dropped everything earlier. */
  owns_after: string;
  /** Holds names and whatever else the account tells about itself; null if it tells nothing. */
  profile: Json<SealedAccountPart | null>;
  /** Holds the address as `email`. Both are null once the account is over. */
  address: Json<SealedAccountPart | null>;
  /** Parts that hold as `email` the confirmed addresses before it, the last {@link FORMER_ADDRESSES}, oldest first. */
  former_addresses: Json<readonly SealedAccountPart[]>;
  /** Holds as `email` the address that waits for its confirmation; null without one. */
  wanted: Json<SealedAccountPart | null>;
  /** When the link that confirms it expires. */
  wanted_until: NullableTimestamp;
}

/** So many former addresses are kept here. The command side decides by all of them. */
export const FORMER_ADDRESSES = 20;

/** `accounts.figure_status`: how many accounts there are that are not over. */
export interface FigureAccountTable {
  status: AccountTable["status"];
  accounts: number;
}

/** `accounts.figure_day`: of these, those that were added or registered on a day in UTC. */
export interface FigureRegisteredTable {
  /** `YYYY-MM-DD` */
  day: string;
  registered: number;
}

/** Raised with every change of these tables. An older layout triggers a rebuild. */
export const ACCOUNTS_LAYOUT = 9;

/** All that there is of a person is sealed, so nothing is left to clean after an erasure. */
export function createAccountTables(schema: string): string {
  return `
    create table ${schema}.account (
      id uuid primary key,
      role text not null,
      status text not null,
      confirmed boolean not null,
      confirmed_at timestamptz,
      two_factor boolean not null,
      recovery_codes_left int,
      notifications jsonb not null,
      created_at timestamptz not null,
      last_sign_in_at timestamptz,
      erase_at timestamptz,
      owns_after text collate "C" not null,
      profile jsonb,
      address jsonb,
      former_addresses jsonb not null,
      wanted jsonb,
      wanted_until timestamptz
    );
    create table ${schema}.figure_status (
      status text primary key,
      accounts int not null
    );
    create table ${schema}.figure_day (
      day date primary key,
      registered int not null
    );
  `;
}
