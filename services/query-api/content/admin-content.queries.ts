import { type RawBuilder, sql } from "kysely";
import type { ShippedTexts } from "#content/shipped-text.ts";
import type { TextRenderer } from "#content/text-values.ts";
import type { ContentKind, ContentStatus } from "#contracts/content/content-rules.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { Page } from "../placed-lists.ts";
import { containsPattern } from "../visible-report.ts";

/** Sort fields of the console's list. The first is the default. */
export const CONTENT_SORTS = [
  "last_modified",
  "title",
  "type",
  "status",
  "views",
  "order",
] as const;
type SortField = (typeof CONTENT_SORTS)[number];

interface ContentFilter {
  readonly type?: ContentKind;
  readonly status?: ContentStatus;
  /** Part of a title or a slug. */
  readonly q?: string;
}

interface ListedRow {
  readonly id: string;
  readonly kind: ContentKind;
  readonly status: ContentStatus;
  readonly slug: string;
  readonly title: string;
  readonly place: number | null;
  readonly has_changes: boolean;
  /** Null for an unmodified shipped text. */
  readonly changed_by: string | null;
  readonly changed_at: Date | null;
  /** -1 for an unmodified shipped text. */
  readonly revision: number;
  readonly views: number;
}

const ORDER: Readonly<Record<SortField, RawBuilder<unknown>>> = {
  last_modified: sql`changed_at`,
  title: sql`lower(title)`,
  type: sql`kind`,
  status: sql`status`,
  views: sql`views`,
  order: sql`place`,
};

/** Lists texts as the console shows them: those from the log, and shipped ones that no one has changed. */
export class ContentList {
  readonly #db: ReadModelDatabase;
  readonly #shipped: string;

  constructor(db: ReadModelDatabase, shipped: ShippedTexts, { line }: TextRenderer) {
    this.#db = db;
    this.#shipped = JSON.stringify(
      [...shipped.values()].map(({ id, kind, text }) => ({
        id,
        kind,
        slug: text.slug,
        title: line(text.title),
        place: text.order ?? null,
      })),
    );
  }

  /** Returns a page of the matching texts, and the total. */
  async page(
    filter: ContentFilter,
    sort: { readonly field: SortField; readonly order: "asc" | "desc" },
    { offset, limit }: Page,
  ): Promise<{ readonly rows: readonly ListedRow[]; readonly total: number }> {
    const direction = sort.order === "asc" ? sql`asc nulls first` : sql`desc nulls last`;
    const { rows } = await sql<ListedRow & { total: number }>`
      with listed as (
        select id, kind, status, slug, title, place, has_changes, changed_by, changed_at, revision
        from content.item where slug is not null
        union all
        select id, kind, 'published', slug, title, place, false, null, null, -1
        from jsonb_to_recordset(${this.#shipped}::jsonb)
          as s (id uuid, kind text, slug text, title text, place int)
        where not exists (select from content.item i where i.id = s.id)
      ), counted as (
        select listed.*, coalesce(v.views, 0) as views
        from listed left join views.report_views v on v.report_id = listed.id
        where ${this.#conditions(filter)}
      )
      select *, count(*) over () as total from counted
      order by ${ORDER[sort.field]} ${direction}, place nulls last, title, id
      offset ${offset} limit ${limit}`.execute(this.#db);
    return { rows, total: rows[0]?.total ?? 0 };
  }

  #conditions({ type, status, q }: ContentFilter) {
    const all = [
      sql`true`,
      ...(type ? [sql`kind = ${type}`] : []),
      ...(status ? [sql`status = ${status}`] : []),
      ...(q ? [sql`(title ilike ${containsPattern(q)} or slug ilike ${containsPattern(q)})`] : []),
    ];
    return sql.join(all, sql` and `);
  }
}

/** Returns a text that someone created or changed, with its draft; undefined if there is none. */
export function findDraft(db: ReadModelDatabase, id: string) {
  return db
    .selectFrom("content.item")
    .select([
      "id",
      "kind",
      "status",
      "slug",
      "has_changes",
      "draft",
      "published",
      "version",
      "revision",
    ])
    .where("id", "=", id)
    .limit(1)
    .executeTakeFirst();
}
