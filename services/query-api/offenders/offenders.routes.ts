import {
  type OffenderPage,
  OffenderPageReply,
  OffenderPagesQuery,
  OffendersQuery,
  OffendersReply,
} from "#contracts/http/reports.ts";
import { ROLES } from "#http/actor.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { invalidRequest } from "#http/validation.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { InvalidPageToken } from "#search/port.ts";
import { createPageTokens, type PageCursor, type PageTokens } from "#search/search-plan.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import {
  countOffenders,
  type OffenderRow,
  offendersBeside,
  presentOffender,
  type Rank,
  topOffenders,
} from "./offenders.queries.ts";

const MAX_OFFENDERS = 50;

export function offenderRoutes(app: ServiceInstance, { db, freshness, pageKey }: ReadSide): void {
  const pageTokens = createPageTokens(pageKey);
  const read = reads(ROLES, "public reports", freshness.waitFor(["offenders", "reports"], "any"));

  app.get(
    "/prod/api/habitual-offenders",
    read({
      summary: "People with two or more approved reports, sorted by number of reports",
      querystring: OffendersQuery,
      reply: OffendersReply,
    }),
    async (request) => {
      const { limit = MAX_OFFENDERS } = request.query;
      return succeed((await topOffenders(db, limit)).map(presentOffender));
    },
  );

  app.get(
    "/prod/api/habitual-offenders/all",
    read({
      summary: "Habitual offenders, page by page",
      querystring: OffenderPagesQuery,
      reply: OffenderPageReply,
    }),
    async ({ query: { page } }) => {
      try {
        return succeed(await offenderPage(db, pageTokens, page));
      } catch (error) {
        if (!(error instanceof InvalidPageToken)) throw error;
        throw invalidRequest({ page: "Invalid page token. Start from the first page." });
      }
    },
  );
}

const PAGE_SIZE = 20;

/** Scope of this list's page tokens, so that those of a search don't fit. */
const LIST = "habitual-offenders";

function rankOf({ values, id }: PageCursor): Rank {
  const [reportCount = 0, usdTotalCents = 0, latestMs = 0] = values;
  return { reportCount, usdTotalCents, latestMs, id };
}

const keyOf = (row: OffenderRow) => ({
  values: [row.report_count, row.usd_total_cents, row.latest_at.getTime()],
  id: row.id,
});

/**
 * Returns a page of all habitual offenders. @throws {InvalidPageToken} if the token is damaged, or from another
 * list.
 */
export async function offenderPage(
  db: ReadModelDatabase,
  tokens: PageTokens,
  token: string | undefined,
): Promise<OffenderPage> {
  const cursor = token === undefined ? undefined : tokens.decode(token, LIST);
  const backwards = cursor?.direction === "before";
  let found = cursor
    ? await offendersBeside(db, { ...cursor, rank: rankOf(cursor) }, PAGE_SIZE + 1)
    : await topOffenders(db, PAGE_SIZE + 1);
  // A page that is empty, or not full backward, has since lost rows: show the first one instead.
  const isFirst = !cursor || found.length === 0 || (backwards && found.length <= PAGE_SIZE);
  if (cursor && isFirst) found = await topOffenders(db, PAGE_SIZE + 1);
  const hasMore = found.length > PAGE_SIZE;
  const rows = backwards && !isFirst ? found.slice(-PAGE_SIZE) : found.slice(0, PAGE_SIZE);
  const page = isFirst ? 1 : cursor.page;
  const { total, capped } = await countOffenders(db);
  const beside = (row: OffenderRow | undefined, direction: "after" | "before", to: number) =>
    row
      ? tokens.encode({ ...keyOf(row), direction, inclusive: false, page: Math.max(1, to) }, LIST)
      : null;
  return {
    offenders: rows.map(presentOffender),
    total,
    total_capped: capped,
    page,
    pages: Math.max(page, Math.ceil(total / PAGE_SIZE)),
    next: (backwards && !isFirst) || hasMore ? beside(rows.at(-1), "after", page + 1) : null,
    previous: isFirst ? null : beside(rows[0], "before", page - 1),
  };
}
