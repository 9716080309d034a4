import { isRowTime, type LastRow } from "#contracts/http/keyset.ts";
import {
  SITEMAP_PAGE,
  SITEMAP_SIZE,
  SitemapReply,
  type SitemapReports,
  SitemapReportsQuery,
  SitemapReportsReply,
} from "#contracts/http/sitemap.ts";
import { ROLES } from "#http/actor.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { invalidRequest } from "#http/validation.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { shareResult } from "#runtime/lifecycle/back-off.ts";
import { compareCreated } from "../keyset-lists.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";

/** Milliseconds for which the list of sitemaps is cached. Building it reads every public report's place. */
const CACHE_MS = 30_000;

/** The contents of the site's sitemaps: the paths of all public reports. */
export function sitemapRoutes(app: ServiceInstance, { db, caches, freshness }: ReadSide): void {
  const sitemaps = caches.add(shareResult(() => findSitemaps(db), CACHE_MS));

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
        throw invalidRequest({ after: "Invalid cursor. Start from the first page." });
      return succeed(await findReports(db, after));
    },
  );
}

/** Maximum number of sitemaps listed: fifty million reports. */
const MAX = 1000;

/** Formats a keyset cursor for the sitemap routes. New reports don't move the places of others. */
export function formatPlace({ at, id }: LastRow): string {
  return `${at}_${id}`;
}

/** Parses a place; undefined if its date or ID is invalid. */
export function readPlace(text: string): LastRow | undefined {
  const [at = "", id = ""] = text.split("_");
  return isRowTime(at) && UUID.test(id) ? { at, id } : undefined;
}
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns where each sitemap starts, null for the first one. @param size reports per sitemap. */
export async function findSitemaps(
  db: ReadModelDatabase,
  size = SITEMAP_SIZE,
): Promise<(string | null)[]> {
  const sitemaps: (string | null)[] = [null];
  let after: LastRow | undefined;
  while (sitemaps.length < MAX) {
    const [last, next] = await publicReports(db, after)
      .select(["created_at", "id"])
      .offset(size - 1)
      .limit(2)
      .execute();
    if (!last || !next) break;
    after = { at: last.created_at.toISOString(), id: last.id };
    sitemaps.push(formatPlace(after));
  }
  return sitemaps;
}

/** Returns a page of the list of public reports. */
export async function findReports(
  db: ReadModelDatabase,
  after: LastRow | undefined,
  size = SITEMAP_PAGE,
): Promise<SitemapReports> {
  const rows = await publicReports(db, after)
    .select(["slug", "updated_at", "created_at", "id"])
    .limit(size + 1)
    .execute();
  const page = rows.slice(0, size);
  const last = rows.length > size ? page.at(-1) : undefined;
  return {
    reports: page.map((row) => ({
      seo_title: row.slug,
      updated_at: row.updated_at.toISOString(),
    })),
    next: last ? formatPlace({ at: last.created_at.toISOString(), id: last.id }) : null,
  };
}

/** Public reports after a place, oldest first, which is an index's order. */
function publicReports(db: ReadModelDatabase, after: LastRow | undefined) {
  const all = db.selectFrom("reports.public_report as r");
  return (after ? all.where(compareCreated("r", ">", after)) : all)
    .orderBy("created_at")
    .orderBy("id");
}
