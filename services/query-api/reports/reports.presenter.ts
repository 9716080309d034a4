import { given } from "#contracts/given.ts";
import type { ReportDetail } from "#contracts/http/report-view.ts";
import { presentEvidence } from "../evidence/evidence.presenter.ts";
import { presentDetailFields, presentSummary } from "./report-rows.presenter.ts";
import type { PublicReportRow } from "./report-rows.queries.ts";
import type { OtherReportRow } from "./reports.queries.ts";

/** A report's public page. */
export function presentDetail(
  row: PublicReportRow,
  others: readonly OtherReportRow[],
): ReportDetail {
  return {
    ...presentSummary(row),
    ...presentDetailFields(row),
    ...presentEvidence(row),
    ...given({ offender_shares: row.person_shares }),
    other_reports: others.map(({ slug, title, created_at }) => ({
      seo_title: slug,
      title,
      created_at: created_at.toISOString(),
    })),
  };
}
