import { createHmac } from "node:crypto";
import anyAscii from "any-ascii";
import type { Pool } from "pg";
import { slugHash } from "#vault/sealing/hashes.ts";

/** Assigns the addresses of public pages. Each is assigned only once, for ever. */
export class AddressStore {
  readonly #pool: Pool;
  readonly #key: Buffer;

  /** @param key the service key `slugs`. */
  constructor(pool: Pool, key: Buffer) {
    this.#pool = pool;
    this.#key = key;
  }

  /** Takes an address for a public report. No address is ever assigned again, so that no old link misleads. */
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

/** Words of the routes, which would hide a report of that name. */
const ROUTE_WORDS = new Set(["recent", "search", "all", "submit", "report"]);

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** Base of an address: `first-last` in a to z and hyphens; `report` when nothing is left or a route has it. */
export function baseSlug(firstName: string, lastName: string): string {
  const base = anyAscii(`${firstName} ${lastName}`.normalize("NFC"))
    .toLowerCase()
    .replace(/['’`]/g, "")
    .replace(/[^a-z]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 80)
    .replace(/-+$/, "");
  return base === "" || ROUTE_WORDS.has(base) ? "report" : base;
}

/** How many addresses a report may get under one name. Each is one of 300 million. */
const CANDIDATES = 100;

/**
 * The possible addresses of a report, to take the first that is free: the name itself, then the
 * name with six letters of HMAC-SHA-256(key; report's id, n). They contain no counter, so an
 * address does not reveal how many others there are.
 * @param key the service key `slugs`.
 */
export function* slugCandidates(key: Buffer, base: string, reportId: string): Generator<string> {
  yield base;
  for (let n = 1; n < CANDIDATES; n += 1) {
    const bytes = createHmac("sha256", key).update(`letters ${reportId} ${n}`).digest();
    const letters = Array.from(bytes.subarray(0, 6), (byte) => LETTERS[byte % LETTERS.length]);
    yield `${base}-${letters.join("")}`;
  }
}

/** Whether any version assigned the address to this report for a name with this base. */
export function isSlugOf(slug: string, key: Buffer, base: string, reportId: string): boolean {
  if (!slug.startsWith(base)) return false;
  const rest = slug.slice(base.length);
  return (
    /^(-\d+)?$/.test(rest) || slugCandidates(key, base, reportId).some((other) => other === slug)
  );
}
