import type { Migration } from "#runtime/db/migrate.ts";

/** The command side's tables about reports and inquiries. */
export const reportTables = `
  -- Addresses of report pages that were ever given out, as keyed hashes only.
  create table address (
    -- keyed hash of the slug: it is never given again
    slug_hash text primary key
  );
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
  -- When to check whether a report is due for erasure. Only its stream decides that.
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
  -- Accounts' reports that have not been checked again since they were submitted.
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
  -- Which moderator has a report of the queue. A row counts until its time, and no longer than the
  -- session that took it.
  create table queue_lease (
    report_id uuid primary key,
    account_id uuid not null references account (id) on delete cascade,
    session_id uuid,
    until timestamptz not null
  );
  create index queue_lease_account on queue_lease (account_id);
  create index queue_lease_until on queue_lease (until);
  -- Inquiries and notices whose keys exist, so that they are erased when their retention period ends.
  -- The row is there before the stream.
  create table inquiry (
    id uuid primary key,
    family text not null check (family in ('inquiry', 'notice')),
    received_at timestamptz not null
  );
  create index inquiry_received_at on inquiry (received_at, id);
`;

/** The columns of `command.queue_lease` that query-api may read. */
export interface ReadableQueueLease {
  report_id: string;
  account_id: string;
  session_id: string | null;
  until: Date;
}

/** Number of views of a report; read by query-api. It does not come from events. */
export interface ReportViewsTable {
  report_id: string;
  views: number;
}

/** Views are not events: who viewed is forgotten each night, and only the sums stay. */
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
      -- Views for the weekly summary. Like the sums, they do not identify viewers.
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
