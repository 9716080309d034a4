import type { Migration } from "#runtime/db/migrate.ts";

export const commandIdMigrations: readonly Migration[] = [
  {
    id: "2026-11-22-command-id",
    sql: `
      -- Which of its ids a create has while the key of command ids is being replaced.
      create table command_id (
        -- Id under the oldest key that counts.
        oldest text primary key,
        id text not null,
        chosen_at timestamptz not null default now()
      );
      create index command_id_chosen_at on command_id (chosen_at);
    `,
  },
];
