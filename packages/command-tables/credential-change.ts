import type { Migration } from "#runtime/db/migrate.ts";

export const credentialChangeMigrations: readonly Migration[] = [
  {
    id: "2026-11-22-credential-change",
    sql: `
      -- A change of credentials that waits for its event. Without a password it only ends sessions.
      create table credential_change (
        -- of the event
        command_id text primary key,
        account_id uuid not null references account (id) on delete cascade,
        password_hash text,
        role text,
        prepared_at timestamptz not null
      );
      create index credential_change_account on credential_change (account_id);
      -- revision of the event whose password stands here: an earlier one comes too late
      alter table account add column password_revision integer not null default -1;
      alter table account drop constraint account_status_check;
      -- adding: only its address is taken
      alter table account add check (status in ('adding', 'active', 'banned'));
    `,
  },
];
