import { type Selectable, sql } from "kysely";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { REMOVED_ADDRESS_DAYS } from "#read-model/tables/address.ts";
import type { PersonTable } from "#read-model/tables/offender.ts";
import type { PublicReportView, ReportTable } from "#read-model/tables/report.ts";

/** Maximum number of other reports about a person on a report's page. */
const OTHERS = 50;

/** A link to another report about the same person. */
export interface OtherReportRow {
  readonly slug: string;
  readonly title: string;
  readonly created_at: Date;
}

/** Returns the newest approved reports. */
export function recentReports(db: ReadModelDatabase, limit: number): Promise<PublicReportRow[]> {
  return publicReports(db)
    .orderBy("r.created_at", "desc")
    .orderBy("r.id", "desc")
    .limit(limit)
    .execute();
}

/** Returns the newest reports of every status. */
export function newestReports(db: ReadModelDatabase, limit: number): Promise<ModeratorReportRow[]> {
  return moderatorReports(db)
    .orderBy("r.created_at", "desc")
    .orderBy("r.id", "desc")
    .limit(limit)
    .execute();
}

export function findBySlug(
  db: ReadModelDatabase,
  slug: string,
): Promise<PublicReportRow | undefined> {
  return publicReports(db).where("r.slug", "=", slug).executeTakeFirst();
}

/** Returns the approved reports among the IDs, by ID. */
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

/** Whether a report was recently public under this slug, and has since been deleted or renamed. */
export async function isGone(db: ReadModelDatabase, slugHash: string): Promise<boolean> {
  const row = await db
    .selectFrom("address.slug")
    .select("report_id")
    .where("slug_hash", "=", slugHash)
    .where("gone_at", ">", sql<Date>`now() - make_interval(days => ${REMOVED_ADDRESS_DAYS})`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the person's other approved reports, newest first. */
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

/** Joined to a report's own columns: the person it is about, and its views. */
interface ReportContext {
  /** These four are null if the person has only one approved report. */
  readonly person_id: string | null;
  readonly person_report_count: number | null;
  readonly person_totals: Selectable<PersonTable>["totals"] | null;
  readonly person_shares: string[] | null;
  readonly views: number | null;
}

/** An approved report as the public sees it. */
export type PublicReportRow = Selectable<PublicReportView> & ReportContext;
/** A report of any status as moderators see it. */
export type ModeratorReportRow = Selectable<ReportTable> & ReportContext;

const CONTEXT = [
  "p.id as person_id",
  "p.report_count as person_report_count",
  "p.totals as person_totals",
  "p.shares as person_shares",
  "v.views as views",
] as const;

/** Approved reports with their context. The table's alias is `r`. */
function publicReports(db: ReadModelDatabase) {
  return db
    .selectFrom("reports.public_report as r")
    .leftJoin("offenders.member as m", "m.report_id", "r.id")
    .leftJoin("offenders.person as p", "p.id", "m.person_id")
    .leftJoin("views.report_views as v", "v.report_id", "r.id")
    .selectAll("r")
    .select(CONTEXT);
}

/** Returns a query for reports of every status with their context. The table's alias is `r`. */
export function moderatorReports(db: ReadModelDatabase) {
  return db
    .selectFrom("reports.report as r")
    .leftJoin("offenders.member as m", "m.report_id", "r.id")
    .leftJoin("offenders.person as p", "p.id", "m.person_id")
    .leftJoin("views.report_views as v", "v.report_id", "r.id")
    .selectAll("r")
    .select(CONTEXT);
}
