import type { Migration } from "#runtime/db/migrate.ts";

export const submissionLookMigrations: readonly Migration[] = [
  {
    id: "2026-11-23-submission-looks",
    sql: `
      -- Reports of accounts that nobody has looked at again since they were submitted.
      create table submission_look (
        report_id uuid primary key,
        account_id uuid not null,
        position text collate "C" not null
      );
      -- How far the log was read for it; one row, of one epoch.
      create table submission_look_position (
        single boolean primary key default true check (single),
        position text not null,
        epoch text not null
      );
    `,
  },
];
