import { SitemapReply, SitemapReportsQuery, SitemapReportsReply } from "#contracts/http/sitemap.ts";
import { ROLES } from "#http/actor.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { invalidRequest } from "#http/validation.ts";
import { keptFor } from "../figures/figures.queries.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { findReports, findSitemaps, readPlace } from "./sitemap.queries.ts";

/** How long the list of sitemaps is kept, which reads the place of every public report. */
const KEPT_MS = 30_000;

/** What the site's sitemaps list: the addresses of all public reports. */
export function sitemapRoutes(app: ServiceInstance, { db, caches, freshness }: ReadSide): void {
  const sitemaps = caches.add(keptFor(KEPT_MS, () => findSitemaps(db)));

  const read = reads(ROLES, "public reports");
  app.get(
    "/prod/api/sitemap",
    read({
      summary: "Where each sitemap of public reports begins",
      reply: SitemapReply,
    }),
    async () => succeed({ sitemaps: await sitemaps() }),
  );

  app.get(
    "/prod/api/sitemap/reports",
    read({
      summary: "Addresses of public reports, oldest first",
      querystring: SitemapReportsQuery,
      reply: SitemapReportsReply,
      preHandler: freshness.waitFor(["reports"], "any"),
    }),
    async ({ query }) => {
      const after = query.after === undefined ? undefined : readPlace(query.after);
      if (query.after !== undefined && !after)
        throw invalidRequest({ after: "This place is not known: start from the first" });
      return succeed(await findReports(db, after));
    },
  );
}
