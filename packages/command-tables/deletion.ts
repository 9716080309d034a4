import type { Migration } from "#runtime/db/migrate.ts";

export const deletionMigrations: readonly Migration[] = [
  {
    id: "2026-11-28-deletions",
    sql: `
      -- What was deleted in the last hour, reports, files, accounts and notices, by who sent it.
      create table deletion (
        account_id uuid not null,
        deleted_id uuid not null,
        -- Whether it waits for another admin, and all admins were emailed of it.
        waits boolean not null,
        deleted_at timestamptz not null,
        primary key (account_id, waits, deleted_id)
      );
      create index deletion_time on deletion (deleted_at);
    `,
  },
];
