import { CONTENT_END, type ContentText, contentOf, isSameText } from "#contracts/events/content.ts";
import { type ContentEvent, contentEvents } from "#contracts/events/index.ts";
import { LOG_STREAM } from "#event-store/store-log.ts";
import { projectedSchemas } from "#read-model/install.ts";
import type { JsonRow } from "#read-model/tables/column-types.ts";
import type { ContentItemTable } from "#read-model/tables/content.ts";
import type { Projection } from "../../daemon/projection.ts";
import { keyedProjection } from "../../keyed/keyed-projection.ts";
import type { Happened, ReadModel } from "../../keyed/read-model.ts";

/** The registry's current texts: the draft, and what is public. */
export function contentProjection(): Projection {
  return keyedProjection({
    name: "content",
    schema: projectedSchemas.content,
    models: [items],
    filter: { streamPrefixes: ["content-", LOG_STREAM] },
    opens: true,
    erasedBy: [CONTENT_END],
  });
}

type Type = ContentEvent["type"];
type ContentRow = JsonRow<ContentItemTable>;

/** The text columns after a deletion. */
const NO_WORDS = {
  slug: null,
  title: null,
  place: null,
  has_changes: false,
  draft: null,
  published: null,
  version: null,
  effective_date: null,
} as const;

/** The texts that were shipped or created, one row each. */
const items: ReadModel<ContentRow, Type> = {
  table: { name: "item", key: "id" },
  handles: contentEvents.map(({ type }) => type),
  keyOf: ({ stream }) => contentOf(stream),
  evolve(row, happened) {
    const { stored } = happened;
    const changed = row ? afterChange(row, happened) : begun(happened);
    return (
      changed && {
        ...changed,
        changed_by: stored.metadata.actor.id,
        changed_at: stored.metadata.time,
        revision: stored.revision,
      }
    );
  },
};

function begun({ key, event, stored }: Happened<Type>): ContentRow | undefined {
  if (event.type !== "ContentShipped" && event.type !== "ContentCreated") return undefined;
  const { time } = stored.metadata;
  const { kind, content = null } = event.data;
  const row: ContentRow = {
    id: key,
    kind,
    status: "draft",
    ...NO_WORDS,
    ...ofDraft(content, null),
    first_published_at: null,
    published_at: null,
    changed_by: "",
    changed_at: time,
    revision: 0,
  };
  return event.type === "ContentCreated" ? row : published(row, event.data, time);
}

function afterChange(row: Readonly<ContentRow>, { event, stored }: Happened<Type>): ContentRow {
  switch (event.type) {
    case "ContentEdited":
    case "ContentRestored":
      return { ...row, ...ofDraft(event.data.content ?? null, row.published) };
    case "ContentPublished":
      return published(row, event.data, stored.metadata.time);
    case "ContentUnpublished": {
      const { draft } = row;
      const none = { published: null, version: null, effective_date: null, published_at: null };
      return { ...row, ...none, status: "draft", ...ofDraft(draft, null) };
    }
    case CONTENT_END:
      return { ...row, ...NO_WORDS, status: "deleted" };
    default:
      return row;
  }
}

function ofDraft(draft: ContentText | null, published: ContentText | null) {
  return {
    draft,
    slug: draft?.slug ?? null,
    title: draft?.title ?? null,
    place: draft?.order ?? null,
    has_changes: published !== null && !isSameText(draft, published),
  };
}

function published(
  row: ContentRow,
  { version, effective_date }: { version?: string; effective_date?: string },
  time: string,
): ContentRow {
  return {
    ...row,
    status: "published",
    published: row.draft,
    has_changes: false,
    version: version ?? null,
    effective_date: effective_date ?? null,
    first_published_at: row.first_published_at ?? time,
    published_at: time,
  };
}
