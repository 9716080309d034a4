import { sql } from "kysely";
import { LISTED_DELETIONS } from "#contracts/http/deletions.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { DELETION_ERASE_AT } from "#read-model/tables/report.ts";
import { readThroughIndexes } from "../indexed-reads.ts";
import { CONCERNS } from "./own-reports.ts";

const SHOWN = ["id", "title", "report_type", "status", ...CONCERNS] as const;

/** Deletions that wait for another admin, the newest reports first. One more than are shown. */
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

/** Deleted reports, those first that are erased first. One more than are shown. */
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
