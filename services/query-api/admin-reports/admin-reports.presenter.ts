import type { Static } from "typebox";
import type { AdminReportDetail, PossibleMatch } from "#contracts/http/report-view.ts";
import { sharesOf } from "#search/matching.ts";
import { given, presentAdminReport } from "../reports/report-rows.presenter.ts";
import type { ModeratorReportRow } from "../reports/report-rows.queries.ts";
import type { MatchRow } from "./admin-reports.queries.ts";

/** A report's page in the console. */
export function presentAdminDetail(
  row: ModeratorReportRow,
  matches: readonly MatchRow[],
): AdminReportDetail {
  return {
    ...presentAdminReport(row),
    ...given({ rejection_reason: row.rejection_reason }),
    possible_matches: matches.map((match) => presentMatch(row, match)),
  };
}

function presentMatch(row: ModeratorReportRow, match: MatchRow): Static<typeof PossibleMatch> {
  return {
    id: match.id,
    first_name: match.first_name,
    last_name: match.last_name,
    title: match.title,
    status: match.status,
    created_at: match.created_at.toISOString(),
    shares: sharesOf([row.match_keys, match.match_keys]),
  };
}
