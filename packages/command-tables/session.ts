import type { Migration } from "#runtime/db/migrate.ts";

export const sessionMigrations: readonly Migration[] = [
  {
    id: "2026-11-21-refresh-token",
    sql: `
      create table refresh_token (
        -- SHA-256 of the token, which is 256 random bits
        hash text primary key,
        family uuid not null,
        account_id uuid not null references account (id) on delete cascade,
        token_version integer not null,
        expires_at timestamptz not null,
        used_at timestamptz,
        revoked_at timestamptz
      );
      create index refresh_token_family on refresh_token (family);
      create index refresh_token_account on refresh_token (account_id);
      create index refresh_token_expires_at on refresh_token (expires_at);
    `,
  },
  {
    id: "2026-11-22-session",
    sql: `
      -- A session's refresh tokens are those whose family is its id. Families from before this table
      -- have no row until their next refresh.
      create table session (
        id uuid primary key,
        account_id uuid not null references account (id) on delete cascade,
        started_at timestamptz not null,
        last_used_at timestamptz not null,
        -- when the last event about its use was written, and a keyed hash of that client
        noted_at timestamptz not null,
        client_hash text,
        -- when it ends however much it is used
        expires_at timestamptz not null,
        ended_at timestamptz,
        -- cause of an end whose event the log does not hold yet
        unlogged_end text
      );
      create index session_account on session (account_id);
      create index session_last_used_at on session (last_used_at) where ended_at is null;
      create index session_ended_at on session (ended_at) where ended_at is not null;
    `,
  },
];
