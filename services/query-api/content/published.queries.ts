import type { ContentKind } from "#contracts/content/content-rules.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";

/** Most frequent questions, and most pages in the footer, that are read. */
const MOST_QUESTIONS = 500;
const MOST_PAGES = 20;
/** Newest posts and pages that the sitemap lists. */
const MOST_ADDRESSES = 1_000;

const COLUMNS = [
  "id",
  "kind",
  "status",
  "published",
  "version",
  "effective_date",
  "first_published_at",
  "published_at",
  "revision",
] as const;

/** A text that somebody began or changed, by its id; undefined when there is none. */
export function findItem(db: ReadModelDatabase, id: string) {
  return db
    .selectFrom("content.item")
    .select(COLUMNS)
    .where("id", "=", id)
    .limit(1)
    .executeTakeFirst();
}
export type ItemRow = NonNullable<Awaited<ReturnType<typeof findItem>>>;

function publishedOf(db: ReadModelDatabase, kind: ContentKind) {
  return db
    .selectFrom("content.item")
    .where("kind", "=", kind)
    .where("status", "=", "published")
    .where("published", "is not", null);
}

/** How often a post or page was viewed. */
export async function viewsOf(db: ReadModelDatabase, id: string): Promise<number> {
  const row = await db
    .selectFrom("views.report_views")
    .select("views")
    .where("report_id", "=", id)
    .limit(1)
    .executeTakeFirst();
  return row?.views ?? 0;
}

/** FAQ items that somebody began or changed: those that are not public hide shipped ones. */
export function findQuestions(db: ReadModelDatabase) {
  return db
    .selectFrom("content.item")
    .select(COLUMNS)
    .where("kind", "=", "faq")
    .orderBy("id")
    .limit(MOST_QUESTIONS)
    .execute();
}

/** Published posts, newest first. */
export function findPosts(db: ReadModelDatabase, offset: number, limit: number) {
  return publishedOf(db, "blog")
    .select(COLUMNS)
    .orderBy("first_published_at", "desc")
    .orderBy("id")
    .offset(offset)
    .limit(limit)
    .execute();
}

export async function countPosts(db: ReadModelDatabase): Promise<number> {
  const { n } = await publishedOf(db, "blog")
    .select(({ fn }) => fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return n;
}

/** Published pages, the oldest first. */
export function findPages(db: ReadModelDatabase) {
  return publishedOf(db, "page")
    .select(COLUMNS)
    .orderBy("first_published_at")
    .orderBy("id")
    .limit(MOST_PAGES)
    .execute();
}

/** Addresses of published posts and pages. */
export function findAddresses(db: ReadModelDatabase) {
  return db
    .selectFrom("content.item")
    .select(["kind", "slug", "published_at"])
    .where("kind", "in", ["blog", "page"])
    .where("status", "=", "published")
    .where("published", "is not", null)
    .orderBy("first_published_at", "desc")
    .orderBy("id")
    .limit(MOST_ADDRESSES)
    .execute();
}
