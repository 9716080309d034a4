import { contentIdOf } from "#content/content-id.ts";
import type { ShippedText } from "#content/shipped-text.ts";
import { type ContentKind, TERMS_SLUG } from "#contracts/content/content-rules.ts";
import { DomainError } from "#contracts/domain-error.ts";
import type { ContentText } from "#contracts/events/content.ts";
import type {
  Article,
  ContentPage,
  FaqItem,
  PostPage,
  PostSummary,
  SiteFacts,
} from "#contracts/http/content.ts";
import type { ClearableCache } from "#operations/request-table.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { pageOf } from "../placed-lists.ts";
import type { ReadSide } from "../read-side.ts";

const POSTS_PER_PAGE = 10;
/** Maximum number of rendered texts cached. */
const MAX_RENDERED = 200;

type Deps = Pick<ReadSide, "db" | "shipped" | "renderer"> & {
  /** `slugHash` under the service key `slugs`. */
  readonly hash: (text: string) => string;
};

/** A public text: from the log, or as shipped if no one has changed it. */
interface PublicText {
  readonly text: ContentText;
  readonly version: string;
  readonly effective_date: string;
  readonly row?: ItemRow;
}

/** The registry's texts as visitors read them. */
export class PublishedTexts implements ClearableCache {
  readonly #deps: Deps;
  /** HTML by ID and revision, least recently used first. */
  readonly #rendered = new Map<string, string>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws {DomainError} `not_found` if it is not public. */
  async legal(slug: string): Promise<ContentPage> {
    const { id, text, version, effective_date, row } = await this.#read("legal", slug);
    const { renderer } = this.#deps;
    return {
      slug,
      title: renderer.line(text.title),
      description: renderer.line(text.description),
      version,
      effective_date,
      html: this.#html(id, text, row),
    };
  }

  /** Returns a post or a page. @throws {DomainError} `content_deleted` if it was public; `not_found` */
  async article(kind: "blog" | "page", slug: string): Promise<Article> {
    const { id, text, row } = await this.#read(kind, slug);
    const { db, renderer } = this.#deps;
    return {
      id,
      slug,
      title: renderer.line(text.title),
      description: renderer.line(text.description),
      html: this.#html(id, text, row),
      published_at: iso(row?.first_published_at),
      updated_at: iso(row?.published_at),
      view_count: await viewsOf(db, id),
    };
  }

  async faq(): Promise<FaqItem[]> {
    const { db, shipped, renderer } = this.#deps;
    const rows = await findQuestions(db);
    const changed = new Set(rows.map(({ id }) => id));
    const present = (id: string, text: ContentText, row?: ItemRow): FaqItem => ({
      id: text.slug,
      question: renderer.line(text.title),
      answer: this.#html(id, text, row),
      order: text.order ?? 0,
    });
    const written = rows.flatMap((row) =>
      row.status === "published" && row.published ? [present(row.id, row.published, row)] : [],
    );
    const unchanged = [...shipped.values()].filter(
      ({ id, kind }) => kind === "faq" && !changed.has(id),
    );
    return [...written, ...unchanged.map(({ id, text }) => present(id, text))].toSorted(
      (a, b) => a.order - b.order || a.id.localeCompare(b.id),
    );
  }

  /** @throws {DomainError} `invalid_request` past row 10,000. */
  async posts(page: number): Promise<PostPage> {
    const { db } = this.#deps;
    const { offset, limit } = pageOf(page, POSTS_PER_PAGE);
    const [rows, total] = await Promise.all([findPosts(db, offset, limit), countPosts(db)]);
    const posts = rows.flatMap((row): PostSummary[] => {
      if (!row.published) return [];
      const { slug, title, description } = this.#summary(row.published);
      return [{ slug, title, description, published_at: iso(row.first_published_at) }];
    });
    return { posts, total, page, pages: Math.max(1, Math.ceil(total / POSTS_PER_PAGE)) };
  }

  async siteFacts(): Promise<Pick<SiteFacts, "pages" | "terms_version">> {
    const { db } = this.#deps;
    const [rows, terms] = await Promise.all([findPages(db), this.#read("legal", TERMS_SLUG)]);
    const pages = rows.flatMap(({ published }) => {
      if (!published) return [];
      const { slug, title } = this.#summary(published);
      return [{ slug, title }];
    });
    return { pages, terms_version: terms.version };
  }

  clear(): number {
    const { size } = this.#rendered;
    this.#rendered.clear();
    return size;
  }

  #summary({ slug, title, description }: ContentText) {
    const { renderer } = this.#deps;
    return { slug, title: renderer.line(title), description: renderer.line(description) };
  }

  async #read(kind: ContentKind, slug: string): Promise<PublicText & { readonly id: string }> {
    const { db, shipped, hash } = this.#deps;
    const id = contentIdOf(hash, kind, slug);
    const row = await findItem(db, id);
    const found = row ? ofRow(row) : ofShipped(shipped.get(id));
    if (found) return { id, ...found };
    // A deleted draft was never public.
    if (row?.status === "deleted" && row.first_published_at)
      throw new DomainError("content_deleted", "This page has been removed.");
    throw new DomainError("not_found", "There is no text at this address.");
  }

  /** A shipped text never changes while this process runs, and a revision never does; the values in them may. */
  #html(id: string, { body }: ContentText, row: ItemRow | undefined): string {
    const { renderer } = this.#deps;
    const key = `${id} ${row?.revision ?? "shipped"} ${renderer.stamp()}`;
    const html = this.#rendered.get(key) ?? renderer.html(body);
    this.#rendered.delete(key);
    this.#rendered.set(key, html);
    const [oldest] = this.#rendered.keys();
    if (this.#rendered.size > MAX_RENDERED && oldest) this.#rendered.delete(oldest);
    return html;
  }
}

function ofRow(row: ItemRow): PublicText | undefined {
  const { status, published: text, version, effective_date } = row;
  if (status !== "published" || !text) return undefined;
  return { text, version: version ?? "", effective_date: effective_date ?? "", row };
}

function ofShipped(shipped: ShippedText | undefined): PublicText | undefined {
  if (!shipped) return undefined;
  const { text, version = "", effective_date = "" } = shipped;
  return { text, version, effective_date };
}

const iso = (time: Date | null | undefined) => time?.toISOString() ?? "";

/** Maximum number of FAQ items and footer pages that are read. */
const MAX_QUESTIONS = 500;
const MAX_PAGES = 20;
/** Maximum number of posts and pages that the sitemap lists, newest first. */
const MAX_ADDRESSES = 1_000;

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

/** Finds a text that someone created or changed; undefined if there is none. */
function findItem(db: ReadModelDatabase, id: string) {
  return db
    .selectFrom("content.item")
    .select(COLUMNS)
    .where("id", "=", id)
    .limit(1)
    .executeTakeFirst();
}
type ItemRow = NonNullable<Awaited<ReturnType<typeof findItem>>>;

function publishedOf(db: ReadModelDatabase, kind: ContentKind) {
  return db
    .selectFrom("content.item")
    .where("kind", "=", kind)
    .where("status", "=", "published")
    .where("published", "is not", null);
}

async function viewsOf(db: ReadModelDatabase, id: string): Promise<number> {
  const row = await db
    .selectFrom("views.report_views")
    .select("views")
    .where("report_id", "=", id)
    .limit(1)
    .executeTakeFirst();
  return row?.views ?? 0;
}

/** FAQ items that someone created or changed: those that aren't public hide shipped ones. */
function findQuestions(db: ReadModelDatabase) {
  return db
    .selectFrom("content.item")
    .select(COLUMNS)
    .where("kind", "=", "faq")
    .orderBy("id")
    .limit(MAX_QUESTIONS)
    .execute();
}

function findPosts(db: ReadModelDatabase, offset: number, limit: number) {
  return publishedOf(db, "blog")
    .select(COLUMNS)
    .orderBy("first_published_at", "desc")
    .orderBy("id")
    .offset(offset)
    .limit(limit)
    .execute();
}

async function countPosts(db: ReadModelDatabase): Promise<number> {
  const { n } = await publishedOf(db, "blog")
    .select(({ fn }) => fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return n;
}

/** Published pages, oldest first. */
function findPages(db: ReadModelDatabase) {
  return publishedOf(db, "page")
    .select(COLUMNS)
    .orderBy("first_published_at")
    .orderBy("id")
    .limit(MAX_PAGES)
    .execute();
}

/** Returns the paths of published posts and pages. */
export function findAddresses(db: ReadModelDatabase) {
  return db
    .selectFrom("content.item")
    .select(["kind", "slug", "published_at"])
    .where("kind", "in", ["blog", "page"])
    .where("status", "=", "published")
    .where("published", "is not", null)
    .orderBy("first_published_at", "desc")
    .orderBy("id")
    .limit(MAX_ADDRESSES)
    .execute();
}
