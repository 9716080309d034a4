import type { ContentText } from "#contracts/events/content.ts";
import type { Json, NullableTimestamp, Timestamp } from "./column-types.ts";

/** `content.item`: a text that someone began or changed; query-api lays the shipped texts over these. */
export interface ContentItemTable {
  id: string;
  /** Code: blog, page, legal, faq, or one of a newer version. */
  kind: string;
  /** `deleted`: nothing is left but the id, by which its address answers 410. */
  status: "draft" | "published" | "deleted";
  /** Null once it is deleted. */
  slug: string | null;
  /** Title of the draft. */
  title: string | null;
  /** Place of the draft among the frequent questions. */
  place: number | null;
  /** Whether the draft differs from what is public. */
  has_changes: boolean;
  /** Null once it is deleted. */
  draft: Json<ContentText | null>;
  /** What is public; null for a draft. */
  published: Json<ContentText | null>;
  /** Of what is public of a legal text. */
  version: string | null;
  effective_date: string | null;
  /** When it was public for the first time, and when what is public now was published. */
  first_published_at: NullableTimestamp;
  published_at: NullableTimestamp;
  /** Who appended the last event, and when. */
  changed_by: string;
  changed_at: Timestamp;
  /** Revision of its stream that this row shows. */
  revision: number;
}

/** Raised with every change of these tables. An older layout triggers a rebuild. */
export const CONTENT_LAYOUT = 1;

/** What is public of the texts is read in the clear; drafts hold words of the registry only. */
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
