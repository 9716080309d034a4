import { type Static, Type } from "typebox";
import {
  CONTENT_BOUNDS,
  CONTENT_KINDS,
  CONTENT_STATUSES,
  MAX_ORDER,
  SLUG_PATTERN,
} from "../content/content-rules.ts";
import { codes, ONE_LINE, strict } from "../report/fields.ts";
import type { CommandRow } from "./command-row.ts";
import { reply } from "./envelope.ts";

/** HTML rendered from the registry's own Markdown, which allows no raw HTML. */
const Html = Type.String();
const Timestamp = Type.String();

export const FaqItem = strict({
  /** Lower case with hyphens; the question's anchor on its page. */
  id: Type.String(),
  question: Type.String(),
  answer: Html,
  order: Type.Integer(),
});
export type FaqItem = Static<typeof FaqItem>;

/** GET /prod/api/faq: sorted by `order`. */
export const FaqReply = reply(Type.Array(FaqItem));

/** GET /prod/api/content/{slug}, posts/{slug}, pages/{slug} */
export const ContentParams = strict({ slug: Type.String({ maxLength: 100 }) });
export const ContentPage = strict({
  slug: Type.String(),
  title: Type.String(),
  /** One sentence for search engines. */
  description: Type.String(),
  version: Type.String(),
  /** Effective date of this version, `YYYY-MM-DD`. */
  effective_date: Type.String(),
  html: Html,
});
export type ContentPage = Static<typeof ContentPage>;
export const ContentReply = reply(ContentPage);

/** A public post or page. */
export const Article = strict({
  id: Type.String(),
  slug: Type.String(),
  title: Type.String(),
  description: Type.String(),
  html: Html,
  /** When it was first published, and when its public text was last published. */
  published_at: Timestamp,
  updated_at: Timestamp,
  view_count: Type.Integer(),
});
export type Article = Static<typeof Article>;
export const ArticleReply = reply(Article);

/** GET /prod/api/posts: newest first. */
export const PostsQuery = strict({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 1 })),
});
export const PostSummary = strict({
  slug: Type.String(),
  title: Type.String(),
  description: Type.String(),
  published_at: Timestamp,
});
export type PostSummary = Static<typeof PostSummary>;
export const PostPage = strict({
  posts: Type.Array(PostSummary),
  total: Type.Integer(),
  page: Type.Integer(),
  pages: Type.Integer(),
});
export type PostPage = Static<typeof PostPage>;
export const PostsReply = reply(PostPage);

/** GET /prod/api/site: facts that every page of the site needs. */
export const SiteFacts = strict({
  /** Published pages, for the footer. */
  pages: Type.Array(strict({ slug: Type.String(), title: Type.String() })),
  /** Current version of the terms for reporters. */
  terms_version: Type.String(),
  /** Present during maintenance: the notice, and the expected end if known. */
  maintenance: Type.Optional(strict({ message: Type.String(), until: Type.Optional(Timestamp) })),
  /** Maximum size of an uploaded file, in megabytes. */
  max_file_size: Type.Integer(),
  /** Support address set by admins; if absent, the operator's applies. */
  support_email: Type.Optional(Type.String()),
  /** Set while sample reports are loaded. */
  samples: Type.Optional(Type.Literal(true)),
  /** Set while the processes log in more detail. For web, which has no store. */
  debug: Type.Optional(Type.Literal(true)),
  /** Set while admins have lifted the limits on reads. For web, which has no store. */
  unlimited: Type.Optional(Type.Literal(true)),
  /** Changes when an admin asks to empty all caches. For web, which has no store. */
  emptied: Type.Optional(Type.String()),
});
export type SiteFacts = Static<typeof SiteFacts>;
export const SiteFactsReply = reply(SiteFacts);

/** GET /prod/api/sitemap/content: published posts and pages. */
const SitemapContent = Type.Array(strict({ path: Type.String(), updated_at: Timestamp }));
export type SitemapContent = Static<typeof SitemapContent>;
export const SitemapContentReply = reply(SitemapContent);

/** POST /prod/api/content/{id}/view */
export const ContentId = Type.String({
  pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
});

/** The registry's texts, for admins. Commands are below this path. */
export const ADMIN_CONTENT = "/prod/api/admin/content";

const opt = Type.Optional;
const Kind = codes(CONTENT_KINDS);
const Status = codes(CONTENT_STATUSES);
const Slug = Type.String({ pattern: SLUG_PATTERN, maxLength: CONTENT_BOUNDS.slug });
/** Revision of the text that the client last saw; -1 for an unchanged shipped text. */
const Revision = Type.Integer({ minimum: -1, maximum: 2 ** 31 });
const seen = { revision: Revision };

const words = {
  title: Type.String({ minLength: 1, maxLength: CONTENT_BOUNDS.title, pattern: ONE_LINE }),
  description: Type.String({ maxLength: CONTENT_BOUNDS.description, pattern: ONE_LINE }),
  body: Type.String({ maxLength: CONTENT_BOUNDS.body }),
  /** FAQ items only. */
  order: opt(Type.Integer({ minimum: 0, maximum: MAX_ORDER })),
};
const CreateContent = strict({ kind: Kind, slug: Slug, ...words });
const EditContent = strict({ ...seen, ...words });

/** All commands for the registry's own texts. */
export const CONTENT_COMMANDS = {
  create: {
    type: "CreateContent",
    title: "Create a text",
    method: "POST",
    path: "",
    body: CreateContent,
    summary: "Create a draft of a post, page or FAQ item",
    done: "Draft saved",
  },
  edit: {
    type: "EditContent",
    title: "Edit a text",
    method: "PUT",
    path: "/:id",
    body: EditContent,
    summary: "Save the draft of a text; the public text is unchanged",
    done: "Draft saved",
  },
  publish: {
    type: "PublishContent",
    title: "Publish a text",
    method: "POST",
    path: "/:id/publish",
    body: strict(seen),
    summary: "Publish the draft of a text",
    done: "Published",
  },
  unpublish: {
    type: "UnpublishContent",
    title: "Unpublish a text",
    method: "POST",
    path: "/:id/unpublish",
    body: strict(seen),
    summary: "Unpublish a text; the draft stays",
    done: "Unpublished",
  },
  restore: {
    type: "RestoreContent",
    title: "Restore a version of a text",
    method: "POST",
    path: "/:id/restore",
    body: strict({ ...seen, version: Type.Integer({ minimum: 0, maximum: 2 ** 31 }) }),
    summary: "Restore an earlier version of a text as its draft",
    done: "Restored as the draft",
  },
  delete: {
    type: "DeleteContent",
    title: "Delete a text",
    method: "DELETE",
    path: "/:id",
    body: strict(seen),
    summary: "Delete a text permanently; its address can't be reused",
    done: "Deleted",
  },
} as const satisfies Readonly<Record<string, CommandRow>>;

type Rows = typeof CONTENT_COMMANDS;
export type ContentCommandName = keyof Rows;
export type ContentBody<N extends ContentCommandName> = Static<Rows[N]["body"]>;

/** A text after a command. */
export const ContentCommandReply = reply(
  strict({
    id: ContentId,
    status: Type.Union([Status, Type.Literal("deleted")]),
    revision: Type.Integer(),
  }),
);

/** POST /prod/api/admin/content/preview: the draft as the site would show it. Nothing is stored. */
export const PreviewContent = strict({ body: words.body });
export const PreviewReply = reply(strict({ html: Type.String() }));

/** A row of the console's list. */
export const ContentItem = strict({
  id: ContentId,
  title: Type.String(),
  type: Kind,
  slug: Type.String(),
  status: Status,
  /** Whether the draft differs from the published text. */
  has_changes: Type.Boolean(),
  /** Absent for an unchanged shipped text, and if the name is unknown. */
  author: opt(Type.String()),
  /** Absent for an unchanged shipped text. */
  last_modified: opt(Type.String()),
  views: Type.Integer(),
  order: opt(Type.Integer()),
  revision: Type.Integer(),
});
export type ContentItem = Static<typeof ContentItem>;

/** The editable fields of a text. */
export const ContentText = strict({
  title: Type.String(),
  description: Type.String(),
  body: Type.String(),
  order: opt(Type.Integer()),
});
export type ContentText = Static<typeof ContentText>;

/** One event of a text's history. */
export const ContentVersion = strict({
  revision: Type.Integer(),
  /** Type of the event. */
  type: Type.String(),
  /** Absent for the shipped text. */
  at: opt(Type.String()),
  actor: opt(Type.String()),
  /** For a published legal text. */
  version: opt(Type.String()),
  /** Revision that was restored. */
  restored: opt(Type.Integer()),
  /** Whether this version can be shown and restored. */
  has_text: Type.Boolean(),
});
export type ContentVersion = Static<typeof ContentVersion>;

/** GET /prod/api/admin/content/{id}: the draft with its history, oldest first. */
export const ContentRecord = strict({
  id: ContentId,
  type: Kind,
  slug: Type.String(),
  status: Status,
  has_changes: Type.Boolean(),
  revision: Type.Integer(),
  /** Published version of a legal text. */
  version: opt(Type.String()),
  text: ContentText,
  /** The published text; absent for a draft. */
  published: opt(ContentText),
  history: Type.Array(ContentVersion),
});
export type ContentRecord = Static<typeof ContentRecord>;
export const ContentRecordReply = reply(ContentRecord);

/** GET /prod/api/admin/content/{id}/versions/{revision} */
export const VersionParams = strict({
  id: ContentId,
  revision: Type.Integer({ minimum: 0, maximum: 2 ** 31 }),
});
export const VersionReply = reply(ContentText);
