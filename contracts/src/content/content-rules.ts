/** The agent designated to receive copyright notices (17 U.S.C. 512(c)(2)). */
export interface DmcaAgent {
  readonly name: string;
  /** Postal address, on one line. */
  readonly address: string;
  readonly email: string;
  readonly phone: string;
}

/** Kinds of content that the registry publishes about itself, with labels. */
export const CONTENT_KINDS = {
  blog: "Blog post",
  page: "Page",
  legal: "Legal text",
  faq: "FAQ item",
} as const;
export type ContentKind = keyof typeof CONTENT_KINDS;

/** Publication statuses, with labels. A `published` text may have unpublished changes. */
export const CONTENT_STATUSES = { draft: "Draft", published: "Published" } as const;
export type ContentStatus = keyof typeof CONTENT_STATUSES;

/** Maximum lengths, in characters. */
export const CONTENT_BOUNDS = { slug: 80, title: 200, description: 300, body: 100_000 } as const;
export const MAX_ORDER = 9_999;

/** Last segment of a text's URL. */
export const SLUG_PATTERN = "^[a-z0-9]+(?:-[a-z0-9]+)*$";
export const SLUG_RULE = "Use lower-case letters, digits and single hyphens";

/** The legal texts. They ship with the software and cannot be added, unpublished or deleted. */
export const LEGAL_SLUGS = ["terms", "privacy", "disclaimer", "dmca"] as const;
/** The legal text that reporters agree to. */
export const TERMS_SLUG = "terms";

/** Slugs that posts and pages cannot use, because readers would expect something else there. */
const RESERVED: readonly string[] = [
  ...LEGAL_SLUGS,
  "admin",
  "api",
  "blog",
  "faq",
  "feed",
  "index",
  "login",
  "new",
  "page",
  "preview",
  "register",
  "report",
  "rss",
  "search",
  "sitemap",
];

/** Whether the slug is off limits to a new text of this kind. */
export function isReservedSlug(kind: ContentKind, slug: string): boolean {
  return (kind === "blog" || kind === "page") && RESERVED.includes(slug);
}

/** Proposes a slug for a title: "What does it cost?" becomes `what-does-it-cost`. */
export function slugOf(title: string): string {
  const plain = title.normalize("NFKD").replace(/\p{Mark}/gu, "");
  const words = plain.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.join("-").slice(0, CONTENT_BOUNDS.slug).replace(/-$/, "");
}

/** Returns the path of the public page that shows the text. */
export function contentPath(kind: ContentKind, slug: string): string {
  switch (kind) {
    case "blog":
      return `/blog/${slug}`;
    case "page":
      return `/pages/${slug}`;
    case "legal":
      return `/${slug}`;
    case "faq":
      return `/faq#${slug}`;
  }
}
