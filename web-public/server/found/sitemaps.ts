import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { SitemapContent } from "#contracts/http/content.ts";
import { SITEMAP_PAGE, SITEMAP_SIZE, type SitemapReports } from "#contracts/http/sitemap.ts";
import type { ApiClient } from "../../src/api/client.ts";
import { paths } from "../../src/config/paths.ts";
import { type FoundOptions, registryFor, sendPlain } from "./registry-for.ts";

/** The site's own pages that search engines may index. A test checks them against the routes. */
export const INDEXED_PAGES: readonly string[] = [
  paths.home,
  paths.search,
  paths.submitReport,
  paths.faq,
  paths.blog(),
  paths.terms,
  paths.privacy,
  paths.disclaimer,
  paths.dmca,
  paths.dmcaNotice,
  paths.dmcaCounterNotice,
  paths.enterprise,
  paths.lawEnforcement,
];

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SCHEMA = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const UNAVAILABLE = "The registry didn't respond. Please try again in a moment.";

/** Returns the rules for crawlers (RFC 9309). Account pages send `noindex` themselves. */
export function robotsTxt(publicUrl: string): string {
  const closed = [
    "/prod/",
    "/admin",
    "/verify-email/",
    "/reset-password/",
    "/sign-in-link/",
    "/change-email/",
    "/undo-email-change/",
    "/report-question/",
    "/inquiry-answer/",
    "/report-status/",
    "/unsubscribe/",
  ];
  const rules = closed.map((path) => `Disallow: ${path}\n`).join("");
  return `User-agent: *\n${rules}\nSitemap: ${publicUrl}/sitemap.xml\n`;
}

/** Serves the sitemap index and the sitemaps (sitemaps.org). They list what is currently public. */
export function sitemapRoutes(site: FastifyInstance, options: FoundOptions): void {
  const { publicUrl } = options;
  /** Serves a file; 404 if `write` returns undefined. */
  const serve = (
    path: string,
    write: (registry: ApiClient, n: number) => Promise<string | Readable | undefined>,
  ) =>
    site.get<{ Params: { n?: string } }>(path, async (request, reply) => {
      try {
        const xml = await write(registryFor(request, options), Number(request.params.n));
        if (xml === undefined) return reply.callNotFound();
        return reply
          .header("cache-control", "public, max-age=60")
          .type("application/xml; charset=utf-8")
          .send(xml);
      } catch (error) {
        return sendPlain(reply, error, UNAVAILABLE);
      }
    });

  serve("/sitemap.xml", async (registry) => {
    const begins = await sitemapsOf(registry);
    const names = ["pages", "content", ...begins.map((_, n) => `reports-${n + 1}`)];
    const entries = names.map(
      (name) => `<sitemap><loc>${publicUrl}/sitemaps/${name}.xml</loc></sitemap>\n`,
    );
    return `${HEAD}<sitemapindex ${SCHEMA}>\n${entries.join("")}</sitemapindex>\n`;
  });
  serve("/sitemaps/pages.xml", async () =>
    urlset(INDEXED_PAGES.map((path) => entry(publicUrl + path))),
  );
  serve("/sitemaps/content.xml", async (registry) => {
    const texts = await registry.get<SitemapContent>("/api/sitemap/content");
    return urlset(texts.map(({ path, updated_at }) => entry(publicUrl + path, updated_at)));
  });
  serve("/sitemaps/reports-:n(^[1-9]\\d{0,3}$).xml", async (registry, n) => {
    const begin = (await sitemapsOf(registry))[n - 1];
    if (begin === undefined) return undefined;
    // Read the first page before starting the response, so that an error gets its own status.
    return Readable.from(sitemap(registry, publicUrl, await pageOf(registry, begin)));
  });
}

const urlset = (entries: string[]) => `${HEAD}<urlset ${SCHEMA}>\n${entries.join("")}</urlset>\n`;

async function* sitemap(registry: ApiClient, publicUrl: string, first: SitemapReports) {
  yield `${HEAD}<urlset ${SCHEMA}>\n`;
  let page = first;
  for (let listed = SITEMAP_PAGE; ; listed += SITEMAP_PAGE) {
    yield page.reports
      .map((report) => entry(publicUrl + paths.report(report.seo_title), report.updated_at))
      .join("");
    if (page.next === null || listed >= SITEMAP_SIZE) break;
    page = await pageOf(registry, page.next);
  }
  yield "</urlset>\n";
}

async function sitemapsOf(registry: ApiClient): Promise<readonly (string | null)[]> {
  const { sitemaps } = await registry.get<{ sitemaps: (string | null)[] }>("/api/sitemap");
  return sitemaps;
}

function pageOf(registry: ApiClient, after: string | null): Promise<SitemapReports> {
  const query = after === null ? undefined : new URLSearchParams({ after });
  return registry.get("/api/sitemap/reports", { query });
}

/** `paths` percent-encodes URLs, so XML needs only `&` and `'` escaped. */
function entry(address: string, changed?: string): string {
  const lastmod = changed ? `<lastmod>${changed}</lastmod>` : "";
  return `<url><loc>${address.replaceAll("&", "&amp;").replaceAll("'", "&apos;")}</loc>${lastmod}</url>\n`;
}
