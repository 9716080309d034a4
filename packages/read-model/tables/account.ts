import type { AccountEnd, Notifications } from "#contracts/events/user/account-state.ts";
import type { Role } from "#contracts/http/account.ts";
import type { Sealed } from "#contracts/sealed.ts";
import type { Json, NullableTimestamp, Timestamp } from "./column-types.ts";

/** The part `account` of an event in the account's stream, with everything needed to open it. */
export interface SealedAccountPart {
  readonly event_id: string;
  readonly event_type: string;
  readonly schema_version: number;
  /** As in the event. */
  readonly account: Sealed;
}

/** `accounts.account`: state of an account according to its history, without credentials. */
export interface AccountTable {
  id: string;
  role: Role;
  /** `closed`: no one can sign in, and it is erased at `erase_at`, if that is set. An {@link AccountEnd} is final. */
  status: "active" | "closed" | AccountEnd;
  confirmed: boolean;
  /** When the account's first address was confirmed; null before. */
  confirmed_at: NullableTimestamp;
  two_factor: boolean;
  /** Unused recovery codes; null without a second factor. */
  recovery_codes_left: number | null;
  notifications: Json<Notifications>;
  created_at: Timestamp;
  /** Null before the first sign-in. */
  last_sign_in_at: NullableTimestamp;
  erase_at: NullableTimestamp;
  /**
   * Only reports submitted at a later position belong to the account: a confirmation here dropped everything
   * earlier.
   */
  owns_after: string;
  /** Holds names and the rest of the profile; null if there is none. */
  profile: Json<SealedAccountPart | null>;
  /** Holds the address as `email`. Both are null once the account has ended. */
  address: Json<SealedAccountPart | null>;
  /** Parts that hold, as `email`, the last {@link PREVIOUS_ADDRESSES} confirmed addresses before it, oldest first. */
  former_addresses: Json<readonly SealedAccountPart[]>;
  /** Holds, as `email`, the new address that is waiting for confirmation; null without one. */
  wanted: Json<SealedAccountPart | null>;
  /** When its confirmation link expires. */
  wanted_until: NullableTimestamp;
}

/** Number of previous addresses kept here. The command side checks all of them. */
export const PREVIOUS_ADDRESSES = 20;

/** `accounts.figure_day`: number of accounts that have not ended, by the day in UTC when they were added or registered. */
export interface RegistrationStatsTable {
  /** `YYYY-MM-DD` */
  day: string;
  registered: number;
}

/** Incremented with every change to these tables. An older layout triggers a rebuild. */
export const ACCOUNTS_LAYOUT = 10;

/** All personal data is sealed, so an erasure leaves nothing to clean up. */
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
    create table ${schema}.figure_day (
      day date primary key,
      registered int not null
    );
  `;
}
