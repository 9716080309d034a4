import { Type } from "typebox";
import type { ShippedTexts } from "#content/shipped-text.ts";
import {
  CONTENT_KINDS,
  CONTENT_STATUSES,
  type ContentKind,
} from "#contracts/content/content-rules.ts";
import { DomainError } from "#contracts/domain-error.ts";
import type { ContentText as StoredText } from "#contracts/events/content.ts";
import {
  ADMIN_CONTENT,
  ContentId,
  ContentItem,
  ContentRecord,
  ContentRecordReply,
  VersionParams,
  VersionReply,
} from "#contracts/http/content.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { codes, strict } from "#contracts/report/fields.ts";
import { shown, succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { ContentHistory } from "../history/other-histories.ts";
import { createListReader, SimpleRestQuery, sendRange } from "../placed-lists.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { CONTENT_SORTS, ContentList, findDraft } from "./admin-content.queries.ts";

const ListFilter = strict({
  type: Type.Optional(codes(CONTENT_KINDS)),
  status: Type.Optional(codes(CONTENT_STATUSES)),
  q: Type.Optional(Type.String({ maxLength: 200 })),
});
const readList = createListReader(ListFilter, CONTENT_SORTS);

/** The registry's texts as admins edit them: list, draft, history, versions. */
export function adminContentRoutes(app: ServiceInstance, side: ReadSide): void {
  const { db, shipped, renderer, names, freshness } = side;
  const history = new ContentHistory(side);
  const list = new ContentList(db, shipped, renderer);
  const read = reads(["admin"], "content", freshness.waitFor(["content"], "any"));

  app.get(
    "/prod/admin/content",
    read({
      summary: "The registry's texts for ra-data-simple-rest",
      querystring: SimpleRestQuery,
      reply: Type.Array(ContentItem),
    }),
    async (request, response) => {
      const { page, sort, filter } = readList(request.query);
      const { rows, total } = await list.page(omitUndefined(filter), sort, page);
      const nameOf = await names.nameOf(
        rows.flatMap(({ changed_by }) => changed_by ?? []),
        request.log,
      );
      sendRange(response, "content", page.offset, rows.length, total);
      return rows.map((row) =>
        shown(ContentItem, {
          ...row,
          title: renderer.line(row.title),
          type: row.kind,
          author: row.changed_by && nameOf(row.changed_by),
          last_modified: row.changed_at,
          order: row.place,
        }),
      );
    },
  );

  app.get(
    `${ADMIN_CONTENT}/:id`,
    read({
      summary: "A text with its draft, public version and history",
      params: strict({ id: ContentId }),
      reply: ContentRecordReply,
    }),
    async ({ params: { id }, log }) => {
      const row = await findDraft(db, id);
      const record = row ? ofRow(row) : ofShipped(id, shipped);
      return succeed({ ...record, history: await history.of(id, log) });
    },
  );

  app.get(
    `${ADMIN_CONTENT}/:id/versions/:revision`,
    read({
      summary: "A text at a revision",
      params: VersionParams,
      reply: VersionReply,
    }),
    async ({ params: { id, revision } }) => succeed(await history.version(id, revision)),
  );
}

type Present = Omit<ContentRecord, "history">;

/** @throws {DomainError} `content_deleted` */
function ofRow(row: NonNullable<Awaited<ReturnType<typeof findDraft>>>): Present {
  const { status, slug, draft, published } = row;
  if (status === "deleted" || slug === null || !draft)
    throw new DomainError("content_deleted", "This text was deleted");
  return shown(Type.Omit(ContentRecord, ["history"]), {
    ...row,
    type: row.kind as ContentKind,
    slug,
    status,
    text: wordsOf(draft),
    published: published && wordsOf(published),
  });
}

/** @throws {DomainError} `not_found` */
function ofShipped(id: string, shipped: ShippedTexts): Present {
  const found = shipped.get(id);
  if (!found) throw new DomainError("not_found", "Text not found");
  const { kind: type, text, version } = found;
  const words = wordsOf(text);
  return {
    id,
    type,
    slug: text.slug,
    status: "published",
    has_changes: false,
    revision: -1,
    text: words,
    published: words,
    ...omitUndefined({ version }),
  };
}

function wordsOf({ title, description, body, order }: StoredText) {
  return { title, description, body, ...omitUndefined({ order }) };
}
