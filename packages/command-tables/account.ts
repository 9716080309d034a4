import type { Role } from "#contracts/http/auth.ts";
import type { Sealed } from "#contracts/sealed.ts";
import type { Migration } from "#runtime/db/migrate.ts";

/** What query-api may read of `command.account`. */
export interface ReadableAccount {
  id: string;
  role: Role;
  status: "adding" | "active" | "banned";
  token_version: number;
  created_at: Date;
  email_sealed: Sealed;
}

/** Credentials stand outside the log: they must be changeable and erasable. */
export const accountMigrations: readonly Migration[] = [
  {
    id: "2026-11-21-account",
    sql: `
      create table account (
        id uuid primary key,
        email_sealed jsonb not null,
        -- keyed hash of the normalised address
        email_blind text not null unique,
        password_hash text not null,
        role text not null check (role in ('user', 'admin', 'auditor')),
        status text not null check (status in ('active', 'banned')),
        -- counted up by a ban, a changed role or a new password: tokens of an older one are void
        token_version integer not null default 1,
        created_at timestamptz not null,
        last_login_at timestamptz
      );
    `,
  },
  {
    id: "2026-11-22-vacuum-account",
    sql: `
      -- What an erased account leaves in the table goes soon.
      alter table account set (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0);
    `,
  },
];
