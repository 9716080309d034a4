import type { Migration } from "#runtime/db/migrate.ts";

export const strikeMigrations: readonly Migration[] = [
  {
    id: "2026-11-24-strikes",
    sql: `
      -- Notices that took material of somebody down. Read from the log; nothing is written here alone.
      create table strike (
        report_id uuid not null,
        notice_id uuid not null,
        -- Keyed hash of the reporter's address; null once the reporter is erased, or where nobody vouched for it.
        blind text,
        -- Null once the account is erased, or where there was none.
        account_id uuid,
        at timestamptz not null,
        lifted_at timestamptz,
        primary key (report_id, notice_id)
      );
      create index strike_blind on strike (blind) where lifted_at is null;
      create index strike_account on strike (account_id) where lifted_at is null;
      -- How far the log was read for it; one row, of one epoch.
      create table strike_position (
        single boolean primary key default true check (single),
        position text not null,
        epoch text not null
      );
    `,
  },
];
