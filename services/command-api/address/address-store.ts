import type { Pool } from "pg";
import { slugHash } from "#vault/sealing/hashes.ts";
import { baseSlug, isSlugOf, slugCandidates } from "./slug.ts";

/** Assigns the addresses of public pages. Each is assigned only once, for ever. */
export class AddressStore {
  readonly #pool: Pool;
  readonly #key: Buffer;

  /** @param key the service key `slugs`. */
  constructor(pool: Pool, key: Buffer) {
    this.#pool = pool;
    this.#key = key;
  }

  /**
   * Takes an address for a report that becomes public. An address that a command takes but does not
   * use is never assigned again, so that no old link ever leads to somebody else.
   */
  async take(
    name: { readonly first_name: string; readonly last_name: string },
    reportId: string,
  ): Promise<string> {
    const base = baseSlug(name.first_name, name.last_name);
    for (const slug of slugCandidates(this.#key, base, reportId)) {
      const { rowCount } = await this.#pool.query(
        "insert into command.address (slug_hash) values ($1) on conflict do nothing",
        [slugHash(this.#key, slug)],
      );
      if (rowCount === 1) return slug;
    }
    throw new Error("every address of the report was given already");
  }

  /** Whether the address was assigned to this report for a name with this base. */
  isOf(slug: string, base: string, reportId: string): boolean {
    return isSlugOf(slug, this.#key, base, reportId);
  }
}
