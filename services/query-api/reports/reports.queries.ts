import { sql } from "kysely";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { GONE_DAYS } from "#read-model/tables/address.ts";
import {
  type ModeratorReportRow,
  moderatorReports,
  type PublicReportRow,
  publicReports,
} from "./report-rows.queries.ts";

/** Maximum number of other reports about a person on a report's page. */
const OTHERS = 50;

/** A link to another report about the same person. */
export interface OtherReportRow {
  readonly slug: string;
  readonly title: string;
  readonly created_at: Date;
}

/** The newest approved reports. */
export function recentReports(db: ReadModelDatabase, limit: number): Promise<PublicReportRow[]> {
  return publicReports(db)
    .orderBy("r.created_at", "desc")
    .orderBy("r.id", "desc")
    .limit(limit)
    .execute();
}

/** The newest reports of every status. */
export function newestReports(db: ReadModelDatabase, limit: number): Promise<ModeratorReportRow[]> {
  return moderatorReports(db)
    .orderBy("r.created_at", "desc")
    .orderBy("r.id", "desc")
    .limit(limit)
    .execute();
}

/** The approved report with this slug. */
export function findBySlug(
  db: ReadModelDatabase,
  slug: string,
): Promise<PublicReportRow | undefined> {
  return publicReports(db).where("r.slug", "=", slug).executeTakeFirst();
}

/** The approved reports among the ids, in no order. */
export async function approvedById(
  db: ReadModelDatabase,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PublicReportRow>> {
  if (ids.length === 0) return new Map();
  const rows = await publicReports(db)
    .where("r.id", "in", [...ids])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Whether a report was public under this slug recently, and was deleted or renamed since. After a
 * while the slug is treated like one that never existed.
 */
export async function isGone(db: ReadModelDatabase, slugHash: string): Promise<boolean> {
  const row = await db
    .selectFrom("address.slug")
    .select("report_id")
    .where("slug_hash", "=", slugHash)
    .where("published", "=", true)
    .where("gone_at", ">", sql<Date>`now() - make_interval(days => ${GONE_DAYS})`)
    .executeTakeFirst();
  return row !== undefined;
}

/** The person's other approved reports, newest first. */
export function otherReports(
  db: ReadModelDatabase,
  { id, person_id }: Pick<PublicReportRow, "id" | "person_id">,
): Promise<OtherReportRow[]> {
  if (person_id === null) return Promise.resolve([]);
  return db
    .selectFrom("offenders.member as m")
    .innerJoin("reports.public_report as r", "r.id", "m.report_id")
    .select(["r.slug", "r.title", "r.created_at"])
    .where("m.person_id", "=", person_id)
    .where("r.id", "<>", id)
    .orderBy("r.created_at", "desc")
    .orderBy("r.id", "desc")
    .limit(OTHERS)
    .execute();
}
