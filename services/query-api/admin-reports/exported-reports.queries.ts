import { type SqlBool, sql } from "kysely";
import type { LastRow } from "#contracts/http/keyset.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { readThroughIndexes } from "../indexed-reads.ts";
import { isBesideCreated } from "../keyset-lists.ts";
import { MAX_WINDOW } from "../paging.ts";
import { type ModeratorReportRow, moderatorReports } from "../reports/report-rows.queries.ts";
import { listConditions, type ReportFilter } from "./report-list.queries.ts";

/** The number of reports that match, however many. */
export async function countReports(db: ReadModelDatabase, filter: ReportFilter): Promise<number> {
  const conditions = listConditions(filter);
  if (!conditions) return 0;
  const counted = sql<{ rows: number }>`
    select count(*) as rows from reports.report r ${whereAll(conditions)}`;
  const { rows } = await (conditions.length > 0
    ? readThroughIndexes(db, "filtered", (reads) => counted.execute(reads.db))
    : counted.execute(db));
  return rows[0]?.rows ?? 0;
}

/**
 * Reports that match, newest first, from a row on, which need not be there any more.
 * @param counted how many match in all. Few are found by the filter's index and sorted; many are met soon in
 *   the list's order.
 */
export function reportsFrom(
  db: ReadModelDatabase,
  filter: ReportFilter,
  from: LastRow | undefined,
  limit: number,
  counted: number,
): Promise<readonly ModeratorReportRow[]> {
  const matching = listConditions(filter);
  if (!matching) return Promise.resolve([]);
  const isFew = matching.length > 0 && counted <= MAX_WINDOW;
  const where = whereAll([...matching, ...(from ? [isBesideCreated("r", "<=", from)] : [])]);
  const newest = sql.raw("order by r.created_at desc, r.id desc");
  return readThroughIndexes(db, isFew ? "filtered" : "ordered", async (reads) => {
    const { rows } = await sql<{ id: string }>`
      select r.id from (select r.* from reports.report r ${where} ${sql.raw(isFew ? "offset 0" : "")}) r
      ${newest} limit ${limit}`.execute(reads.db);
    if (rows.length === 0) return [];
    await reads.access("ordered");
    const found = await moderatorReports(reads.db)
      .where("r.id", "=", (eb) => eb.fn.any(eb.val(rows.map(({ id }) => id)).$castTo<string[]>()))
      .execute();
    const byId = new Map(found.map((row) => [row.id, row]));
    return rows.flatMap(({ id }) => byId.get(id) ?? []);
  });
}

function whereAll(conditions: readonly ReturnType<typeof sql<SqlBool>>[]) {
  return conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;
}
