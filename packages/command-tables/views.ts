import type { Migration } from "#runtime/db/migrate.ts";

/** How often a report was viewed; query-api reads it. It does not come from events. */
export interface ReportViewsTable {
  report_id: string;
  views: number;
}

/** Views are not events: who looked is forgotten each night, and only the sums stay. */
export const viewMigrations: readonly Migration[] = [
  {
    id: "2026-11-29-views",
    sql: `
      create table report_views (
        report_id uuid primary key,
        views bigint not null
      );
      create table seen (
        day date not null,
        report_id uuid not null,
        -- HMAC of the visitor's address under the day's key
        visitor bytea not null,
        primary key (day, report_id, visitor)
      );
      create table day_key (
        day date primary key,
        key bytea not null
      );
      -- What the weekly summary tells an owner. Like the sums, it says nothing of who looked.
      create table report_week (
        -- Its Monday, UTC
        week date not null,
        report_id uuid not null,
        views bigint not null,
        primary key (report_id, week)
      );
      create index report_week_by_week on report_week (week);
    `,
  },
];
