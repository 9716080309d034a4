import type { Migration } from "#runtime/db/migrate.ts";

export const deletionMigrations: readonly Migration[] = [
  {
    id: "2026-11-28-deletions",
    sql: `
      -- Deletions of the last hour, by who sent them.
      create table deletion (
        account_id uuid not null,
        report_id uuid not null,
        deleted_at timestamptz not null,
        primary key (account_id, report_id)
      );
      create index deletion_time on deletion (deleted_at);
    `,
  },
];
