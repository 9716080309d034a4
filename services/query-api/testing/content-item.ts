import { contentIdOf } from "#content/content-id.ts";
import type { ContentKind } from "#contracts/content/content-rules.ts";
import { slugHash } from "#vault/sealing/hashes.ts";
import type { Fixture } from "./query-api.fixture.ts";

/** Returns a text with this slug and these changes. */
export const contentText = (slug: string, changes: object = {}) => ({
  slug,
  title: `About ${slug}`,
  description: "One sentence",
  body: "Words of *{{product_name}}*",
  ...changes,
});

/** Returns the ID of the text with a slug in this registry. */
export async function contentIdIn({ keys }: Fixture, kind: ContentKind, slug: string) {
  const key = await keys.serviceKey("slugs");
  return contentIdOf((text) => slugHash(key, text), kind, slug);
}

/** Inserts a text's row as the projector writes it. @returns its ID. */
export async function addContentItem(
  service: Fixture,
  kind: ContentKind,
  slug: string,
  status: "draft" | "published" | "deleted",
  changes: { readonly order?: number; readonly title?: string } = {},
): Promise<string> {
  const id = await contentIdIn(service, kind, slug);
  const words = contentText(slug, changes);
  const isGone = status === "deleted";
  await service.db.query(
    `insert into content.item (id, kind, status, slug, title, place, has_changes, draft, published,
       version, first_published_at, published_at, changed_by, changed_at, revision)
     values ($1, $2, $3, $4, $5, $6, false, $7, $8, $9, $10, $10, $11, '2026-11-24T09:00:00Z', 1)`,
    [
      id,
      kind,
      status,
      isGone ? null : slug,
      isGone ? null : words.title,
      changes.order ?? null,
      isGone ? null : JSON.stringify(words),
      status === "published" ? JSON.stringify(words) : null,
      kind === "legal" ? "2026-11-24" : null,
      status === "draft" ? null : "2026-11-24T08:00:00Z",
      service.accounts.admin,
    ],
  );
  return id;
}
