import type { Migration } from "#runtime/db/migrate.ts";

export const reportExpiryMigrations: readonly Migration[] = [
  {
    id: "2026-11-23-report-expiry",
    sql: `
      -- When to look whether a report's time is over. Only its stream decides that.
      create table report_expiry (
        report_id uuid primary key,
        look_at timestamptz not null
      );
      create index report_expiry_look_at on report_expiry (look_at, report_id);
      -- How far the log was read for it; one row, of one epoch.
      create table report_expiry_position (
        single boolean primary key default true check (single),
        position text not null,
        epoch text not null
      );
    `,
  },
];
