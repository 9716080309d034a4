import type { ContentKind } from "#contracts/content/content-rules.ts";
import { aggregateIdOf } from "#vault/sealing/hashes.ts";

/**
 * Id of the text at an address. Address and id belong together for good: two texts cannot get one
 * address, no matter who is first, and the address of a deleted text is known without being stored.
 * @param hash `slugHash` of the vault under the service key `slugs`, which is never replaced.
 */
export function contentIdOf(
  hash: (text: string) => string,
  kind: ContentKind,
  slug: string,
): string {
  return aggregateIdOf(hash(`content/${kind}/${slug}`));
}
