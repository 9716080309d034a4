import type { Pool } from "pg";
import type { Migration } from "#runtime/db/migrate.ts";
import { slugHash } from "#vault/sealing/slug-hash.ts";
import { baseSlug, isSlugOf, slugCandidates } from "./slug.ts";

/**
 * Addresses that were given, in the schema `command`: keyed hashes and nothing else. Those of the
 * version before stay in `slug_base`, where that version, while it still runs, adds to them; its
 * `slug_hash` of a name without a number is the `base_hash`.
 */
export const addressMigrations: readonly Migration[] = [
  {
    id: "2026-11-21-slug",
    sql: `
      create table slug_base (
        base_hash text primary key,
        last_number integer not null
      );
      create table slug (
        report_id uuid not null,
        command_id text not null,
        base_hash text not null,
        number integer not null,
        taken_at timestamptz not null,
        appended boolean not null default false,
        -- a command that is decided again may find another name than before
        primary key (report_id, command_id, base_hash)
      );
      create index slug_taken_at on slug (taken_at) where not appended;
    `,
  },
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

/** Gives out the addresses of public pages, each once, for ever. */
export class AddressStore {
  readonly #pool: Pool;
  readonly #key: Buffer;

  /** @param key the service key `slugs`. */
  constructor(pool: Pool, key: Buffer) {
    this.#pool = pool;
    this.#key = key;
  }

  /**
   * Takes an address for a report that becomes public. What a command takes and does not use stays
   * spent, so that no old link comes to name somebody else.
   */
  async take(
    name: { readonly first_name: string; readonly last_name: string },
    reportId: string,
  ): Promise<string> {
    const base = baseSlug(name.first_name, name.last_name);
    for (const slug of slugCandidates(this.#key, base, reportId)) {
      const { rowCount } = await this.#pool.query(
        `insert into command.address (slug_hash)
         select $1 where not exists (select from command.slug_base where base_hash = $1)
         on conflict do nothing`,
        [slugHash(this.#key, slug)],
      );
      if (rowCount === 1) return slug;
    }
    throw new Error("every address of the report was given already");
  }

  /** Whether the address was given to the report for a name with this base. */
  isOf(slug: string, base: string, reportId: string): boolean {
    return isSlugOf(slug, this.#key, base, reportId);
  }
}
