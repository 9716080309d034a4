import { createHmac } from "node:crypto";

/**
 * Hex HMAC-SHA-256 of a public page's address under the service key `slugs`. It finds a slug, even
 * a deleted one, without containing a name.
 */
export function slugHash(key: Buffer, slug: string): string {
  return createHmac("sha256", key).update(slug).digest("hex");
}
