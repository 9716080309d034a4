import { createHmac } from "node:crypto";

/**
 * Hex HMAC-SHA-256 of a public page's address under the service key `slugs`: it finds a slug, also
 * a deleted one, without holding a name.
 */
export function slugHash(key: Buffer, slug: string): string {
  return createHmac("sha256", key).update(slug).digest("hex");
}
