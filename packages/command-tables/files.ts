import type { Sealed } from "#contracts/sealed.ts";

/** Tables of saved filters and uploaded files. An upload's row is inserted before its bytes and removed after them. */
export const fileTables = `
  create table upload (
    id uuid primary key,
    -- SHA-256 of the secret, which is 256 random bits
    secret_hash text not null,
    -- keyed hash of the sender's address; null once a report names the file
    network text,
    -- the reserved size at first, then the stored size
    bytes int not null,
    -- null until the bytes are stored
    type text,
    sha256 text,
    created_at timestamptz not null,
    -- the report that names it
    report_id uuid,
    claimed_at timestamptz,
    -- whether the log was seen to name it
    named boolean not null default false,
    -- when its removal began
    removed_at timestamptz,
    -- keyed hash of the /16 or /48 of the sender's address; null once a report names the file
    wide_network text
  );
  create index upload_waiting on upload (created_at) where report_id is null;
  create index upload_network on upload (network) where report_id is null;
  create index upload_report on upload (report_id) where report_id is not null;
  create index upload_claimed on upload (claimed_at) where report_id is not null and not named;
  create index upload_removed on upload (removed_at) where removed_at is not null;
  -- Saved filters of the console's lists.
  create table saved_filter (
    id uuid primary key,
    account_id uuid not null references account (id) on delete cascade,
    list text not null,
    sealed jsonb not null,
    created_at timestamptz not null default now()
  );
  create index saved_filter_account on saved_filter (account_id, created_at);
`;

export interface SavedFilterTable {
  id: string;
  account_id: string;
  list: string;
  /** Name and filter, which may name people, sealed with the account's key. */
  sealed: Sealed;
  created_at: Date;
}

/** Returns the cell in which the sealed part of a row opens. */
export const savedFilterCell = (id: string) =>
  ({ table: "command.saved_filter", column: "sealed", rowId: id }) as const;
