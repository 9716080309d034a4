import type { Migration } from "#runtime/db/migrate.ts";

/** Second factors, recovery codes, and sign-ins that wait for one of them. */
export const twoFactorMigrations: readonly Migration[] = [
  {
    id: "2026-11-22-two-factor",
    sql: `
      -- In force is the one that account.factor_id names; any other was set up and not confirmed.
      create table second_factor (
        factor_id uuid primary key,
        account_id uuid not null references account (id) on delete cascade,
        secret_sealed jsonb not null,
        created_at timestamptz not null,
        -- time step of the last code that counted: no code counts twice
        last_step bigint not null default -1
      );
      create index second_factor_account on second_factor (account_id, created_at);
      create table recovery_code (
        -- in force is the set that the account's events name last
        codes_id uuid not null,
        code int not null,
        account_id uuid not null references account (id) on delete cascade,
        -- keyed hash of the code, which is 80 random bits
        hash text not null,
        primary key (codes_id, code)
      );
      create index recovery_code_account on recovery_code (account_id, hash);
      -- The right password was given; the code of the second factor is still to come.
      create table sign_in_challenge (
        -- SHA-256 of the challenge, which is 256 random bits
        hash text primary key,
        account_id uuid not null references account (id) on delete cascade,
        -- SHA-256 of the secret in the cookie of the browser that gave the password
        device_hash text not null,
        -- as they were when the password was compared
        token_version int not null,
        factor_id uuid not null,
        expires_at timestamptz not null
      );
      create index sign_in_challenge_account on sign_in_challenge (account_id);
      create index sign_in_challenge_expires_at on sign_in_challenge (expires_at);
      -- Codes that devices unknown to the account tried within an hour of the first.
      create table code_guess (
        account_id uuid primary key references account (id) on delete cascade,
        since timestamptz not null,
        guesses int not null
      );
      alter table account add column factor_id uuid;
    `,
  },
];
