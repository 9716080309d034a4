import { RETENTION_DAYS } from "#contracts/retention.ts";
import type { NullableTimestamp } from "./column-types.ts";

/** `address.slug`: slugs, by keyed hash. No rebuild empties it, because an erased person's slug can't be read. */
export interface SlugTable {
  /** `slugHash` of `vault/sealing`. */
  slug_hash: string;
  report_id: string;
  /** When it stopped being the report's slug; null while it is. */
  gone_at: NullableTimestamp;
  /** Position of the event that last changed the row, and the log's epoch then. */
  position: string;
  epoch: string;
}

/** Days during which a removed public slug returns 410. After that it counts as one that never existed. */
export const REMOVED_ADDRESS_DAYS = RETENTION_DAYS.removed_address;

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
