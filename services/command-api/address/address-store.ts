import { createHmac } from "node:crypto";
import anyAscii from "any-ascii";
import type { Pool } from "pg";
import { slugHash } from "#vault/sealing/hashes.ts";

/** Assigns the slugs of public pages. Each is assigned only once, ever. */
export class AddressStore {
  readonly #pool: Pool;
  readonly #key: Buffer;

  /** @param key the service key `slugs`. */
  constructor(pool: Pool, key: Buffer) {
    this.#pool = pool;
    this.#key = key;
  }

  /** Reserves a slug for a public report. Slugs are never reassigned, so that old links cannot mislead. */
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
    throw new Error("all slugs of the report are taken");
  }

  /** Whether the slug was assigned to this report for a name with this base. */
  isOf(slug: string, base: string, reportId: string): boolean {
    return isSlugOf(slug, this.#key, base, reportId);
  }
}

/** Words used in routes, which would hide a report of that name. */
const ROUTE_WORDS = new Set(["recent", "search", "all", "submit", "report"]);

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** Base of a slug: `first-last` in a to z and hyphens; `report` if nothing is left or it clashes with a route. */
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

/** How many slugs a report can get under one name. Each is one of 300 million. */
const CANDIDATES = 100;

/**
 * Yields the possible slugs of a report, of which the first free one is taken: the name itself, then the name with
 * six letters of HMAC-SHA-256(key; report's ID, n). They contain no counter, so a slug does not reveal how many
 * others there are.
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

/** Whether any version of the software assigned the slug to this report for a name with this base. */
export function isSlugOf(slug: string, key: Buffer, base: string, reportId: string): boolean {
  if (!slug.startsWith(base)) return false;
  const rest = slug.slice(base.length);
  return (
    /^(-\d+)?$/.test(rest) || slugCandidates(key, base, reportId).some((other) => other === slug)
  );
}
