import type { Migration } from "#runtime/db/migrate.ts";

export const accountStreamMigrations: readonly Migration[] = [
  {
    id: "2026-11-23-account-streams",
    sql: `
      -- What an account did in other streams than its own, for its export: sessions that it started,
      -- reports that it claimed, inquiries and notices that it sent. Ids only; erased with the account.
      create table account_stream (
        account_id uuid not null,
        kind text collate "C" not null,
        id uuid not null,
        position text collate "C" not null,
        primary key (account_id, kind, id)
      );
      create index account_stream_in_order on account_stream (account_id, kind, position, id);
      -- For inquiries and notices, which are erased one by one.
      create index account_stream_by_id on account_stream (id);
      -- How far the log was read for it; one row, of one epoch.
      create table account_stream_position (
        single boolean primary key default true check (single),
        position text not null,
        epoch text not null
      );
    `,
  },
];
