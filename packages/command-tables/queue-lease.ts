import type { Migration } from "#runtime/db/migrate.ts";

/** The columns of `command.queue_lease` that query-api may read. */
export interface ReadableQueueLease {
  report_id: string;
  account_id: string;
  session_id: string | null;
  until: Date;
}

export const queueLeaseMigrations: readonly Migration[] = [
  {
    id: "2026-11-23-queue-lease",
    sql: `
      -- Which moderator has a report of the queue. A row counts until its time, and no longer than the
      -- session that took it.
      create table queue_lease (
        report_id uuid primary key,
        account_id uuid not null references account (id) on delete cascade,
        session_id uuid,
        until timestamptz not null
      );
      create index queue_lease_account on queue_lease (account_id);
      create index queue_lease_until on queue_lease (until);
    `,
  },
];
