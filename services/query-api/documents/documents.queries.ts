import { sql } from "kysely";
import type { DocumentsQuery } from "#contracts/http/documents.ts";
import { LETTER } from "#contracts/report/resolution.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import {
  FILE_CLASS,
  FILE_CLASSES,
  HAS_FILES,
  type Holding,
  NEWEST_FILE,
} from "#read-model/tables/report-figures.ts";
import { newestPage } from "../keyset-lists.ts";
import { LISTED_REPORT } from "../listed-report.ts";

/** A page of the reports with files that fit, those whose last file is the newest first. */
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

/** What a report must have one of, so that a file of it fits; undefined for any file. */
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
