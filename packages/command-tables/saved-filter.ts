import type { Sealed } from "#contracts/sealed.ts";
import type { Migration } from "#runtime/db/migrate.ts";

export interface SavedFilterTable {
  id: string;
  account_id: string;
  list: string;
  /** Name and filter, which may name people, under the account's key. */
  sealed: Sealed;
  created_at: Date;
}

/** Where the sealed part of a row opens. */
export const savedFilterCell = (id: string) =>
  ({ table: "command.saved_filter", column: "sealed", rowId: id }) as const;

export const savedFilterMigrations: readonly Migration[] = [
  {
    id: "2026-11-23-saved-filter",
    sql: `
      -- What somebody filters a list of the console by, under a name.
      create table saved_filter (
        id uuid primary key,
        account_id uuid not null references account (id) on delete cascade,
        list text not null,
        sealed jsonb not null,
        created_at timestamptz not null default now()
      );
      create index saved_filter_account on saved_filter (account_id, created_at);
    `,
  },
];
