import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { StatusCounts } from "#contracts/http/admin-reports.ts";
import type { LastRow } from "#contracts/http/keyset.ts";
import { LISTED_DELETIONS } from "#contracts/http/report-view.ts";
import type { ReportStatus } from "#contracts/report/words.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import {
  DELETION_ERASE_AT,
  type DeletionColumn,
  IS_UNCONFIRMED,
} from "#read-model/tables/report.ts";
import { compareCreated, readThroughIndexes } from "../keyset-lists.ts";
import { MAX_WINDOW } from "../placed-lists.ts";
import { COUNT_TO_DECIDE, countTo, WAITING } from "../queue/queue.queries.ts";
import { type ModeratorReportRow, moderatorReports } from "../reports/reports.queries.ts";
import { CONCERNS } from "./own-reports.ts";
import { listConditions, type ReportFilter } from "./report-list.queries.ts";

/** Maximum number of possible matches that are returned for a report. */
const MATCHES = 200;

/** Reports with a shared identifier to compare; if there are more, an arbitrary selection. */
const MATCH_CANDIDATES = 5000;

/** Number of entries in the list of deletions, counted up to the window. */
const COUNT_DELETED = sql<number>`least(${MAX_WINDOW}, ${countTo(sql`r.deletion_request is not null`)}
  + (select count(*) from (select 1 from reports.hidden_report
    order by ${sql.raw(DELETION_ERASE_AT)}, id limit ${MAX_WINDOW}) h))`;

/** Counts reports by status, without a filter; up to the window unless the figures table has the count. */
export async function countByStatus(db: ReadModelDatabase): Promise<StatusCounts> {
  const kept = (condition: RawBuilder<SqlBool>) => sql<number>`greatest(${countTo(condition)},
    (select sum(reports)::bigint from reports.figure_listed where ${condition}))`;
  const keptOf = (status: ReportStatus) => kept(sql`status = ${status}`);
  return readThroughIndexes(db, "ordered", (reads) =>
    reads.db
      .selectNoFrom([
        keptOf("pending").as("pending"),
        keptOf("under_review").as("under_review"),
        keptOf("approved").as("approved"),
        keptOf("rejected").as("rejected"),
        COUNT_TO_DECIDE.as("to_decide"),
        kept(sql.raw(IS_UNCONFIRMED)).as("unconfirmed"),
        countTo(WAITING.asked.waiting).as("waiting"),
        countTo(WAITING.asked.answered).as("answered"),
        COUNT_DELETED.as("deleted"),
      ])
      .executeTakeFirstOrThrow(),
  );
}

export function findReport(
  db: ReadModelDatabase,
  id: string,
): Promise<ModeratorReportRow | undefined> {
  return moderatorReports(db).where("r.id", "=", id).executeTakeFirst();
}

/** Returns who deleted a report, and when it will be erased; undefined if it is not deleted, or already erased. */
export async function deletionOf(
  db: ReadModelDatabase,
  id: string,
): Promise<DeletionColumn | undefined> {
  const row = await db
    .selectFrom("reports.hidden_report")
    .select("deletion")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.deletion;
}

export async function wasDeleted(db: ReadModelDatabase, id: string): Promise<boolean> {
  const row = await db
    .selectFrom("reports.deleted_report")
    .select("report_id")
    .where("report_id", "=", id)
    .executeTakeFirst();
  return row !== undefined;
}

/** A report that shares an identifier with another one. */
export type MatchRow = Pick<
  ModeratorReportRow,
  "id" | "first_name" | "last_name" | "title" | "status" | "created_at" | "match_keys"
>;

/** Returns other reports that share an identifier: most shared first, then approved, then newest. */
export function possibleMatches(
  db: ReadModelDatabase,
  { id, match_keys }: Pick<ModeratorReportRow, "id" | "match_keys">,
): Promise<MatchRow[]> {
  if (match_keys.length === 0) return Promise.resolve([]);
  const shared = sql<number>`(
    select count(*) from unnest(r.match_keys) k where k = any(${match_keys}::text[])
  )`;
  return readThroughIndexes(db, "filtered", (reads) =>
    reads.db
      .selectFrom((from) =>
        from
          .selectFrom("reports.report")
          .select(["id", "first_name", "last_name", "title", "status", "created_at", "match_keys"])
          .where(sql<SqlBool>`match_keys && ${match_keys}::text[]`)
          .where("id", "<>", id)
          .limit(MATCH_CANDIDATES)
          .as("r"),
      )
      .selectAll()
      .orderBy(shared, "desc")
      .orderBy(sql`r.status = 'approved'`, "desc")
      .orderBy("r.created_at", "desc")
      .orderBy("r.id")
      .limit(MATCHES)
      .execute(),
  );
}

const SHOWN = ["id", "title", "report_type", "status", ...CONCERNS] as const;

/** Returns deletions awaiting another admin, newest reports first. One more than are shown. */
export function findRequestedDeletions(db: ReadModelDatabase) {
  return readThroughIndexes(db, "ordered", (reads) =>
    reads.db
      .selectFrom("reports.report")
      .select([...SHOWN, "deletion_request"])
      .where("deletion_request", "is not", null)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(LISTED_DELETIONS + 1)
      .execute(),
  );
}

/** Returns deleted reports, those erased soonest first. One more than are shown. */
export function findHiddenReports(db: ReadModelDatabase) {
  return readThroughIndexes(db, "ordered", (reads) =>
    reads.db
      .selectFrom("reports.hidden_report")
      .select([...SHOWN, "deletion"])
      .orderBy(sql`${sql.raw(DELETION_ERASE_AT)}`)
      .orderBy("id")
      .limit(LISTED_DELETIONS + 1)
      .execute(),
  );
}

/** Returns the exact number of matching reports. */
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
 * Returns matching reports from a row on, newest first. @param counted all matches: if few, they are sorted; if
 * many, scanned in order.
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
  const where = whereAll([...matching, ...(from ? [compareCreated("r", "<=", from)] : [])]);
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
