import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { StatusCounts } from "#contracts/http/admin-reports.ts";
import type { ReportStatus } from "#contracts/report/words.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import {
  DELETION_ERASE_AT,
  type DeletionColumn,
  IS_UNCONFIRMED,
} from "#read-model/tables/report.ts";
import { readThroughIndexes } from "../indexed-reads.ts";
import { MAX_WINDOW } from "../paging.ts";
import { COUNT_TO_DECIDE, countTo, WAITING } from "../queue/waiting-reports.ts";
import { type ModeratorReportRow, moderatorReports } from "../reports/report-rows.queries.ts";

/** Maximum number of possible matches that are returned for a report. */
const MATCHES = 200;

/**
 * Maximum number of reports with a shared identifier that are compared. Where more share one, an
 * arbitrary selection of them is compared.
 */
const MATCH_CANDIDATES = 5000;

/** What the list of deletions holds, counted up to the window. */
const COUNT_DELETED = sql<number>`least(${MAX_WINDOW}, ${countTo(sql`r.deletion_request is not null`)}
  + (select count(*) from (select 1 from reports.hidden_report
    order by ${sql.raw(DELETION_ERASE_AT)}, id limit ${MAX_WINDOW}) h))`;

/**
 * Counts the reports of each status, and those that wait, ignoring any filter. Each count stops at the window,
 * unless the figures have it: they do not know which reports are of banned accounts, and which questions have
 * expired.
 */
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

/** Who deleted a report, and when it is erased; undefined where it is not deleted, or erased. */
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

/**
 * Other reports of any status that share an identifier, whatever the names. Those that share the
 * most come first, then approved ones, then the newest.
 */
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
