import { createHash } from "node:crypto";
import { type ContentKind, contentPath } from "#contracts/content/content-rules.ts";
import {
  ArticleReply,
  ContentParams,
  ContentReply,
  FaqReply,
  PostsQuery,
  PostsReply,
  type SiteFacts,
  SiteFactsReply,
  SitemapContentReply,
} from "#contracts/http/content.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { MAINTENANCE_SENTENCE } from "#contracts/settings/catalogue.ts";
import type { Settings } from "#contracts/settings/settings-at.ts";
import { ROLES } from "#http/actor.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { Caches } from "#operations/request-table.ts";
import { shareResult } from "#runtime/lifecycle/back-off.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { samplesAreLoaded } from "../samples/samples.routes.ts";
import { findAddresses, PublishedTexts } from "./published-texts.ts";

/** The settings that the site shows, and those its server follows. */
function siteSettings({
  maintenanceMode,
  maintenanceMessage,
  maintenanceUntil,
  debugMode,
  rateLimitEnabled,
  maxFileSize: max_file_size,
  supportEmail,
}: Settings): Omit<SiteFacts, "pages" | "terms_version" | "samples"> {
  const message = maintenanceMessage || MAINTENANCE_SENTENCE;
  const until = maintenanceUntil || undefined;
  return {
    max_file_size,
    ...(maintenanceMode ? { maintenance: { message, ...omitUndefined({ until }) } } : {}),
    ...(supportEmail ? { support_email: supportEmail } : {}),
    ...(debugMode ? { debug: true } : {}),
    ...(rateLimitEnabled ? {} : { unlimited: true }),
  };
}

/** Changes when web must clear its caches; doesn't reveal who requested it. */
function emptied({ newest }: Caches): Pick<SiteFacts, "emptied"> {
  if (newest === undefined) return {};
  return { emptied: createHash("sha256").update(newest).digest("base64url").slice(0, 12) };
}

const FEED = ["content"] as const;
/** Milliseconds for which the sitemap's list of paths is cached, which may be long. */
const CACHE_MS = 30_000;
/** Milliseconds for which it is cached whether there are sample reports. Only the operator changes it. */
const SAMPLES_MS = 5_000;

/** The registry's own texts: posts, pages, FAQ and legal texts. */
export function contentRoutes(app: ServiceInstance, side: ReadSide): void {
  const { db, shipped, renderer, slugHash: hash, settings, caches, freshness } = side;
  const texts = caches.add(new PublishedTexts({ db, shipped, renderer, hash }));
  const preHandler = freshness.waitFor(FEED, "any");
  const hasSamples = caches.add(shareResult(() => samplesAreLoaded(db), SAMPLES_MS));
  const addresses = caches.add(shareResult(() => findAddresses(db), CACHE_MS));

  const read = reads(ROLES, "content");
  app.get(
    "/prod/api/faq",
    read({
      summary: "FAQ items in order, with answers as HTML",
      reply: FaqReply,
      preHandler,
    }),
    async () => succeed(await texts.faq()),
  );

  app.get(
    "/prod/api/content/:slug",
    read({
      summary: "A legal page with its version: terms, privacy, disclaimer, dmca",
      params: ContentParams,
      reply: ContentReply,
      preHandler,
    }),
    async ({ params }) => succeed(await texts.legal(params.slug)),
  );

  app.get(
    "/prod/api/posts",
    read({
      summary: "Published posts, newest first, ten a page",
      querystring: PostsQuery,
      reply: PostsReply,
      preHandler,
    }),
    async ({ query }) => succeed(await texts.posts(query.page ?? 1)),
  );

  for (const [path, kind] of [
    ["/prod/api/posts/:slug", "blog"],
    ["/prod/api/pages/:slug", "page"],
  ] as const)
    app.get(
      path,
      read({
        summary: kind === "blog" ? "A published post" : "A published page",
        params: ContentParams,
        reply: ArticleReply,
        preHandler,
      }),
      async ({ params }) => succeed(await texts.article(kind, params.slug)),
    );

  app.get(
    "/prod/api/site",
    read({
      summary: "What every page shows: footer pages, the current version of the terms, maintenance",
      reply: SiteFactsReply,
      preHandler,
    }),
    async () =>
      succeed({
        ...(await texts.siteFacts()),
        ...siteSettings(settings()),
        ...((await hasSamples()) ? { samples: true as const } : {}),
        ...emptied(caches),
      }),
  );

  app.get(
    "/prod/api/sitemap/content",
    read({
      summary: "Addresses of published posts and pages",
      reply: SitemapContentReply,
    }),
    async () => {
      const rows = await addresses();
      return succeed(
        rows.flatMap(({ kind, slug, published_at }) =>
          slug && published_at
            ? [
                {
                  path: contentPath(kind as ContentKind, slug),
                  updated_at: published_at.toISOString(),
                },
              ]
            : [],
        ),
      );
    },
  );
}
