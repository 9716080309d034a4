import type { Selectable } from "kysely";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { PersonTable } from "#read-model/tables/offender.ts";
import type { PublicReportView } from "#read-model/tables/report.ts";

/** A person with two or more approved reports, and the newest of these reports. */
export type OffenderRow = Pick<
  Selectable<PersonTable>,
  "report_count" | "totals" | "usd_total_cents" | "shares"
> &
  Pick<
    Selectable<PublicReportView>,
    "first_name" | "last_name" | "title" | "description" | "city" | "state" | "slug" | "created_at"
  >;

/**
 * People with the most reports first, then the largest sum in US dollars, then the newest report.
 */
export function topOffenders(db: ReadModelDatabase, limit: number): Promise<OffenderRow[]> {
  return (
    db
      .selectFrom("offenders.person as p")
      // A newest report that is no longer public hides its person until the offenders table catches
      // up.
      .innerJoin("reports.public_report as r", "r.id", "p.latest_report_id")
      .select([
        "p.report_count",
        "p.totals",
        "p.usd_total_cents",
        "p.shares",
        "r.first_name",
        "r.last_name",
        "r.title",
        "r.description",
        "r.city",
        "r.state",
        "r.slug",
        "r.created_at",
      ])
      .orderBy("p.report_count", "desc")
      .orderBy("p.usd_total_cents", "desc")
      .orderBy("p.latest_at", "desc")
      .orderBy("p.id")
      .limit(limit)
      .execute()
  );
}
