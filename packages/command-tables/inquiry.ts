import type { Migration } from "#runtime/db/migrate.ts";

export const inquiryMigrations: readonly Migration[] = [
  {
    id: "2026-11-23-inquiry",
    sql: `
      -- Inquiries and notices whose keys exist, so that they are erased when their time is over.
      -- The row is there before the stream.
      create table inquiry (
        id uuid primary key,
        family text not null check (family in ('inquiry', 'notice')),
        received_at timestamptz not null
      );
      create index inquiry_received_at on inquiry (received_at, id);
    `,
  },
];
