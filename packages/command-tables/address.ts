import type { Migration } from "#runtime/db/migrate.ts";

/**
 * Addresses of report pages that were ever given out, in the schema `command`, as keyed hashes
 * only. The previous version keeps its own in `slug_base`, and adds to them while it still runs.
 * The `slug_hash` of a name without a number equals that version's `base_hash`.
 */
export const addressMigrations: readonly Migration[] = [
  {
    id: "2026-11-21-slug",
    sql: `
      create table slug_base (
        base_hash text primary key,
        last_number integer not null
      );
      create table slug (
        report_id uuid not null,
        command_id text not null,
        base_hash text not null,
        number integer not null,
        taken_at timestamptz not null,
        appended boolean not null default false,
        -- a command that is decided again may find another name than before
        primary key (report_id, command_id, base_hash)
      );
      create index slug_taken_at on slug (taken_at) where not appended;
    `,
  },
  {
    id: "2026-11-22-address",
    sql: `
      create table address (
        -- keyed hash of the slug: it is never given again
        slug_hash text primary key
      );
    `,
  },
];
