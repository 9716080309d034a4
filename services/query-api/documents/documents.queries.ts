import { sql } from "kysely";
import type { DocumentsQuery, PaymentsQuery } from "#contracts/http/documents.ts";
import { LETTER, RESOLUTION_STAGES } from "#contracts/report/resolution.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { RESOLUTION_STAGE } from "#read-model/tables/report.ts";
import {
  FILE_CLASS,
  FILE_CLASSES,
  HAS_FILES,
  type Holding,
  NEWEST_FILE,
} from "#read-model/tables/report-stats.ts";
import { newestPage } from "../keyset-lists.ts";
import { LISTED_REPORT } from "../visible-report.ts";

/** Returns a page of the reports with matching files, those with the newest file first. */
export function findReportsWithFiles(db: ReadModelDatabase, { after, ...filter }: DocumentsQuery) {
  const some = holdingsOf(filter);
  const classes = [...FILE_CLASSES].flatMap(([code, held]) =>
    !some || held.some((holding) => some.includes(holding)) ? [code] : [],
  );
  const query = db
    .selectFrom("reports.report")
    .select([...LISTED_REPORT, "files", "copies"])
    .where(sql<boolean>`${sql.raw(HAS_FILES)}`);
  return newestPage(db, query, {
    list: "documents",
    order: { time: NEWEST_FILE, timeType: "text", idType: "uuid" },
    wanted: [[FILE_CLASS, classes]],
    after,
  });
}

/** Index classes, one of which a report must have to contain a matching file; undefined for any file. */
function holdingsOf({
  kind,
  published,
}: Omit<DocumentsQuery, "after">): readonly Holding[] | undefined {
  if (kind === undefined && published === undefined) return undefined;
  const ofEvidence: readonly Holding[] =
    published === undefined
      ? ["published", "unpublished"]
      : [published === "yes" ? "published" : "unpublished"];
  const ofLetters: readonly Holding[] = published === "yes" ? [] : ["letter"];
  return [...(kind === LETTER ? [] : ofEvidence), ...(kind === "evidence" ? [] : ofLetters)];
}

/** Returns a page of RESOLVED banner requests, most recently updated first. */
export function findPayments(db: ReadModelDatabase, { stage, after }: PaymentsQuery) {
  const stages = stage ? [stage] : Object.keys(RESOLUTION_STAGES);
  const query = db
    .selectFrom("reports.report")
    .select([...LISTED_REPORT, "resolution", "resolution_at"])
    .where("resolution_at", "is not", null);
  return newestPage(db, query, {
    list: "payments",
    order: { time: "resolution_at", timeType: "timestamptz", idType: "uuid" },
    wanted: [[RESOLUTION_STAGE, stages]],
    after,
  });
}
