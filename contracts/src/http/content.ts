import { type Static, Type } from "typebox";
import { strict } from "../report/fields.ts";
import { reply } from "./envelope.ts";

/** HTML from the registry's own Markdown, which holds no HTML of its own. */
const Html = Type.String();
const Timestamp = Type.String();

export const FaqItem = strict({
  /** Lower case with hyphens; the anchor of the question on its page. */
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
  /** Day since which this version is in force, `YYYY-MM-DD`. */
  effective_date: Type.String(),
  html: Html,
});
export type ContentPage = Static<typeof ContentPage>;
export const ContentReply = reply(ContentPage);

/** A post or a page as everybody reads it. */
export const Article = strict({
  id: Type.String(),
  slug: Type.String(),
  title: Type.String(),
  description: Type.String(),
  html: Html,
  /** When it was first public, and when what is public now was published. */
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

/** GET /prod/api/site: what every page of the site needs to know of the registry's texts. */
export const SiteFacts = strict({
  /** Published pages, for the footer. */
  pages: Type.Array(strict({ slug: Type.String(), title: Type.String() })),
  /** The version of the terms that a reporter agrees to now. */
  terms_version: Type.String(),
  /** While the registry is being maintained; what it says, and when it may end. */
  maintenance: Type.Optional(strict({ message: Type.String(), until: Type.Optional(Timestamp) })),
  /** Most megabytes of a file that is uploaded. */
  max_file_size: Type.Integer(),
  /** Whom to write to, where admins have set it; otherwise the operator's address. */
  support_email: Type.Optional(Type.String()),
  /** The processes log in more detail: web, which has no store, follows it. */
  debug: Type.Optional(Type.Literal(true)),
  /** Admins have lifted the limits on reading: web, which has no store, follows it. */
  unlimited: Type.Optional(Type.Literal(true)),
  /** Another one after an admin has asked to empty all caches: web, which has no store, follows it. */
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
