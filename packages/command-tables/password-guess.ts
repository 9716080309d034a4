import type { Migration } from "#runtime/db/migrate.ts";

export const passwordGuessMigrations: readonly Migration[] = [
  {
    id: "2026-11-22-password-guess",
    sql: `
      create table password_guess (
        -- keyed hash of the address, whether it has an account or not
        email_blind text primary key,
        since timestamptz not null,
        guesses int not null
      );
      create index password_guess_since on password_guess (since);
    `,
  },
];
