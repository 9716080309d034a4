import type { Migration } from "#runtime/db/migrate.ts";

/**
 * Addresses of report pages that were ever given out, in the schema `command`, as keyed hashes
 * only.
 */
export const addressMigrations: readonly Migration[] = [
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
