import type { OffenderPage } from "#contracts/http/reports.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { PageCursor, PageTokens } from "#search/search-plan.ts";
import { presentOffender } from "./offenders.presenter.ts";
import {
  countOffenders,
  type OffenderRow,
  offendersBeside,
  type Rank,
  topOffenders,
} from "./offenders.queries.ts";

const PAGE_SIZE = 20;

/** What page tokens of this list are bound to, so that those of a search do not fit. */
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
 * A page of all habitual offenders.
 * @throws {InvalidPageToken} the token is damaged, or of another list.
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
  // A page that is empty, or not full backwards, has lost rows since: the first one is shown instead.
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
