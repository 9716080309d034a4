import type { ContentText } from "#contracts/events/content.ts";
import type { Json, NullableTimestamp, Timestamp } from "./column-types.ts";

/** `content.item`: texts that were created or changed. query-api combines them with the shipped texts. */
export interface ContentItemTable {
  id: string;
  /** Code: blog, page, legal, faq, or one of a newer version. */
  kind: string;
  /** `deleted`: only the ID is left, with which its URL returns 410. */
  status: "draft" | "published" | "deleted";
  /** Null once it is deleted. */
  slug: string | null;
  /** Title of the draft. */
  title: string | null;
  /** Position of the draft in the FAQ. */
  place: number | null;
  /** Whether the draft differs from the published text. */
  has_changes: boolean;
  /** Null once it is deleted. */
  draft: Json<ContentText | null>;
  /** The published text; null for a draft. */
  published: Json<ContentText | null>;
  /** For a published legal text. */
  version: string | null;
  effective_date: string | null;
  /** When it was first published, and when its public text was last published. */
  first_published_at: NullableTimestamp;
  published_at: NullableTimestamp;
  /** Who appended the last event, and when. */
  changed_by: string;
  changed_at: Timestamp;
  /** Revision of its stream that this row shows. */
  revision: number;
}

/** Incremented with every change to these tables. An older layout triggers a rebuild. */
export const CONTENT_LAYOUT = 1;

/** Published texts are stored in the clear. Drafts hold only the registry's own words. */
export function createContentTables(schema: string): string {
  return `
    create table ${schema}.item (
      id uuid primary key,
      kind text not null,
      status text not null,
      slug text,
      title text,
      place int,
      has_changes boolean not null,
      draft jsonb,
      published jsonb,
      version text,
      effective_date text,
      first_published_at timestamptz,
      published_at timestamptz,
      changed_by text not null,
      changed_at timestamptz not null,
      revision int not null
    );
  `;
}

export function createContentIndexes(schema: string): string {
  return `
    create index item_by_publication on ${schema}.item (kind, first_published_at desc, id)
      where status = 'published';
  `;
}
