import { sql } from "kysely";
import type { DocumentsQuery } from "#contracts/http/documents.ts";
import { KEYSET_PAGE, rowOfAfter } from "#contracts/http/keyset.ts";
import { LETTER } from "#contracts/report/resolution.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import {
  HAS_FILES,
  HAS_LETTER,
  IS_PUBLISHED,
  NEWEST_FILE,
} from "#read-model/tables/report-files.ts";
import { LISTED_REPORT } from "../listed-report.ts";

/**
 * Reports with files, those whose last file is the newest first; one more than a page shows. Each condition is
 * that of an index.
 */
export function findReportsWithFiles(
  db: ReadModelDatabase,
  { kind, published, after }: DocumentsQuery,
) {
  const newest = sql<string>`${sql.raw(NEWEST_FILE)}`;
  let query = db
    .selectFrom("reports.report")
    .select([...LISTED_REPORT, "files", "copies", newest.as("newest")])
    .where(sql<boolean>`${sql.raw(HAS_FILES)}`);
  if (kind === LETTER) query = query.where(sql<boolean>`${sql.raw(HAS_LETTER)}`);
  if (published === "yes") query = query.where(sql<boolean>`${sql.raw(IS_PUBLISHED)}`);
  if (after) {
    const { at, id } = rowOfAfter(after);
    query = query.where(sql<boolean>`(${newest}, id) < (${at}, ${id}::uuid)`);
  }
  return query
    .orderBy(newest, "desc")
    .orderBy("id", "desc")
    .limit(KEYSET_PAGE + 1)
    .execute();
}
