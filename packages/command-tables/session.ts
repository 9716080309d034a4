import type { Migration } from "#runtime/db/migrate.ts";

/** How long a session lives without being used. */
export const SESSION_IDLE_MS = 14 * 24 * 3_600_000;

/** The columns of `command.session` that query-api may read. */
export interface ReadableSession {
  id: string;
  account_id: string;
  started_at: Date;
  last_used_at: Date;
  expires_at: Date;
  ended_at: Date | null;
  /** When the account's password was last shown in it. */
  proved_at: Date | null;
  /** When its owner last did something, to within a quarter of a minute. Staff may not act after a time. */
  active_at: Date;
}

/** What came after the table of sessions itself, which is made with that of accounts. */
export const sessionMigrations: readonly Migration[] = [
  {
    id: "2026-11-22-session-in-use",
    sql: `
      -- The list of an account's sessions.
      create index session_in_use on session (account_id, last_used_at desc)
        where ended_at is null;
    `,
  },
  {
    id: "2026-11-22-session-proof",
    sql: `
      -- When the account's password was last shown in it.
      alter table session add column proved_at timestamptz;
    `,
  },
  {
    id: "2026-11-23-session-activity",
    sql: `
      -- Sessions of before count as used now, so that the upgrade signs nobody out.
      alter table session add column active_at timestamptz not null default now();
    `,
  },
];
