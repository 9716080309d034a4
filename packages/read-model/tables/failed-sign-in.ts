import type { Sealed } from "#contracts/sealed.ts";
import type { Json, Timestamp } from "./column-types.ts";

/**
 * `users.failed_sign_in`: sign-ins that failed although the account exists. The address that was typed is not
 * among the columns, and whose account it was can be told only with the key of the month. Once that is
 * destroyed, a row says nothing of anybody: the projector removes it, and a rebuild leaves it out.
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

export function createFailedSignInTable(schema: string): string {
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

export function createFailedSignInIndexes(schema: string): string {
  return `
    create index failed_sign_in_by_account on ${schema}.failed_sign_in (account_index, position desc);
    create index failed_sign_in_by_time on ${schema}.failed_sign_in (at);
  `;
}
