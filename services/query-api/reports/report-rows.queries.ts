import type { Selectable } from "kysely";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { PersonTable } from "#read-model/tables/offender.ts";
import type { PublicReportView, ReportTable } from "#read-model/tables/report.ts";

/** What is read with a report's own columns: the person it is about, and its views. */
export interface ReportContext {
  /** These four are null while the person has only one approved report. */
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
export function publicReports(db: ReadModelDatabase) {
  return db
    .selectFrom("reports.public_report as r")
    .leftJoin("offenders.member as m", "m.report_id", "r.id")
    .leftJoin("offenders.person as p", "p.id", "m.person_id")
    .leftJoin("views.report_views as v", "v.report_id", "r.id")
    .selectAll("r")
    .select(CONTEXT);
}

/** Reports of every status with their context. The table's alias is `r`. */
export function moderatorReports(db: ReadModelDatabase) {
  return db
    .selectFrom("reports.report as r")
    .leftJoin("offenders.member as m", "m.report_id", "r.id")
    .leftJoin("offenders.person as p", "p.id", "m.person_id")
    .leftJoin("views.report_views as v", "v.report_id", "r.id")
    .selectAll("r")
    .select(CONTEXT);
}
