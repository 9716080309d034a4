import type { ContentKind } from "#contracts/content/content-rules.ts";
import { aggregateIdOf } from "#vault/sealing/hashes.ts";

/**
 * Derives a text's ID from its address. Two texts can never share an address, no matter which is created first,
 * and a deleted text's address stays taken without being stored.
 * @param hash `slugHash` of the vault under the service key `slugs`, which is never replaced.
 */
export function contentIdOf(
  hash: (text: string) => string,
  kind: ContentKind,
  slug: string,
): string {
  return aggregateIdOf(hash(`content/${kind}/${slug}`));
}
