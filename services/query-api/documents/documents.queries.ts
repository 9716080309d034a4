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
} from "#read-model/tables/report-files.ts";
import { type KeysetOrder, readNewest } from "../keyset-lists.ts";
import { LISTED_REPORT } from "../listed-report.ts";

const ORDER: KeysetOrder = { time: NEWEST_FILE, timeType: "text", idType: "uuid" };

/** Reports with files that fit, those whose last file is the newest first; one more than a page shows. */
export function findReportsWithFiles(db: ReadModelDatabase, { after, ...filter }: DocumentsQuery) {
  const some = holdingsOf(filter);
  const classes = [...FILE_CLASSES].flatMap(([code, held]) =>
    !some || held.some((holding) => some.includes(holding)) ? [code] : [],
  );
  const query = db
    .selectFrom("reports.report")
    .select([
      ...LISTED_REPORT,
      "files",
      "copies",
      sql<string>`${sql.raw(NEWEST_FILE)}`.as("newest"),
    ])
    .where(sql<boolean>`${sql.raw(HAS_FILES)}`);
  return readNewest(db, query, [[FILE_CLASS, classes]], ORDER, after);
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
