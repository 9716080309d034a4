import type { Migration } from "#runtime/db/migrate.ts";

export const deviceMigrations: readonly Migration[] = [
  {
    id: "2026-11-22-device",
    sql: `
      create table device (
        account_id uuid not null references account (id) on delete cascade,
        -- SHA-256 of the cookie, which is 256 random bits
        hash text not null,
        -- a link of a mail made it known, and nobody signed in from it yet
        linked boolean not null,
        last_used_at timestamptz not null,
        -- attempts since the last sign-in, within an hour of the first
        attempts int not null default 0,
        attempts_since timestamptz,
        primary key (account_id, hash)
      );
      create index device_last_used_at on device (last_used_at);
    `,
  },
];
