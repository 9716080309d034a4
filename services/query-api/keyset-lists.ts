import { type SelectQueryBuilder, sql } from "kysely";
import { afterRow, KEYSET_PAGE, type LastRow, rowOfAfter } from "#contracts/http/keyset.ts";

/**
 * The newest rows of a query, from behind the row that `after` names; one more than a page shows.
 * @param time the column by which they are ordered, a timestamp that no row lacks.
 */
export function newestFirst<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  time: string,
  after: string | undefined,
) {
  const column = sql.ref(time);
  const last = after ? rowOfAfter(after) : undefined;
  const rest = last
    ? query.where(sql<boolean>`(${column}, id) < (${last.at}::timestamptz, ${last.id}::uuid)`)
    : query;
  return rest
    .orderBy(column, "desc")
    .orderBy(sql.ref("id"), "desc")
    .limit(KEYSET_PAGE + 1);
}

/**
 * Where the next page begins; nothing on the last page.
 * @param found how many rows were read.
 * @param last the last row that is shown.
 */
export function nextPage(found: number, last: LastRow | undefined): { readonly next?: string } {
  return found > KEYSET_PAGE && last ? { next: afterRow(last) } : {};
}
