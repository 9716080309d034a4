import { type RawBuilder, sql } from "kysely";
import { isRowTime } from "#contracts/http/keyset.ts";
import { SITEMAP_PAGE, SITEMAP_SIZE, type SitemapReports } from "#contracts/http/sitemap.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";

/** The most sitemaps that are listed: fifty million reports. */
const MOST = 1000;

/** A report's place in the list, oldest first. New reports do not move the places of others. */
export interface Place {
  readonly at: string;
  readonly id: string;
}

/** A place as the sitemap's routes write it. */
export function formatPlace({ at, id }: Place): string {
  return `${at}_${id}`;
}

/** The place that a text names; undefined when its date or its id does not exist. */
export function readPlace(text: string): Place | undefined {
  const [at = "", id = ""] = text.split("_");
  return isRowTime(at) && UUID.test(id) ? { at, id } : undefined;
}
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Where each sitemap begins: the place after which its reports follow, null for the first one.
 * @param size number of reports in a sitemap.
 */
export async function findSitemaps(
  db: ReadModelDatabase,
  size = SITEMAP_SIZE,
): Promise<(string | null)[]> {
  const sitemaps: (string | null)[] = [null];
  let after: Place | undefined;
  while (sitemaps.length < MOST) {
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

/** A page of the list of public reports. */
export async function findReports(
  db: ReadModelDatabase,
  after: Place | undefined,
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

/** The public reports after a place, oldest first: an index in its order. */
function publicReports(db: ReadModelDatabase, after: Place | undefined) {
  const isAfter = (place: Place): RawBuilder<boolean> =>
    sql<boolean>`(created_at, id) > (${place.at}::timestamptz, ${place.id}::uuid)`;
  return db
    .selectFrom("reports.public_report")
    .$if(after !== undefined, (reports) => reports.where(isAfter(after as Place)))
    .orderBy("created_at")
    .orderBy("id");
}
