import { RETENTION_DAYS } from "#contracts/retention.ts";
import type { NullableTimestamp } from "./column-types.ts";

/** `address.slug`: addresses by keyed hash. No rebuild empties it, since an erased person's slug can't be read. */
export interface SlugTable {
  /** `slugHash` of `vault/sealing`. */
  slug_hash: string;
  report_id: string;
  /** Since when it is no longer the report's address; null while it is. */
  gone_at: NullableTimestamp;
  /** Position of the event that last changed the row, and the log's epoch then. */
  position: string;
  epoch: string;
}

/** Days for which an address that was public answers 410. After that it counts as one that never was. */
export const GONE_DAYS = RETENTION_DAYS.removed_address;

export const ADDRESS_SCHEMA = "address";

export const addressMigrations = [
  {
    id: "2026-11-30-slug",
    sql: `
      create table slug (
        slug_hash text primary key,
        report_id uuid not null,
        gone_at timestamptz,
        position text collate "C" not null,
        epoch text not null
      );
      create index slug_by_report on slug (report_id);
      create index slug_gone on slug (gone_at) where gone_at is not null;
    `,
  },
];
