import { CREATE_TRIGRAMS } from "#runtime/db/trigrams.ts";
import { REPORT_TERMS, REPORT_TEXT, REPORT_WORDS } from "../report-filter.ts";
import { DELETION_ERASE_AT, IS_UNCONFIRMED, RESOLUTION_STAGE } from "./report.ts";
import { createFigureIndexes, createFileIndexes } from "./report-figures.ts";

/** What a rebuild adds once it has filled the tables. */
export function createReportIndexes(schema: string): string {
  const ofRow = (expression: string) => expression.replace(/\br\./g, "");
  return `
    ${CREATE_TRIGRAMS}
    -- A report's page.
    create index report_by_slug on ${schema}.report (slug);
    -- Newest reports of the public lists.
    create index report_approved_newest on ${schema}.report (created_at desc, id desc)
      where status = 'approved';
    -- The moderators' lists, by each of their sorts, and the counts of their tabs.
    create index report_newest on ${schema}.report (created_at desc, id desc);
    create index report_by_status on ${schema}.report (status desc, created_at desc, id desc);
    create index report_by_status_and_id on ${schema}.report (status, id);
    create index report_by_change on ${schema}.report (updated_at desc, id desc);
    create index report_by_name on ${schema}.report (last_name, id);
    create index report_by_amount on ${schema}.report (amount_cents, id);
    -- An account's own reports, newest first, and their number.
    create index report_by_owner on ${schema}.report (owner_id, owned_since desc)
      where owner_id is not null;
    -- An account's own reports about an order, newest first.
    create index report_by_own_order on ${schema}.report
      (owner_id, lower(tracking_number), owned_since desc)
      where owner_id is not null and tracking_number is not null;
    alter index ${schema}.report_by_own_order alter column 2 set statistics 0;
    -- Requests for the RESOLVED banner by stage, those that moved on last first.
    create index report_by_resolution on ${schema}.report
      ((${RESOLUTION_STAGE}), resolution_at desc, id desc) where resolution_at is not null;
    -- Reports of a visitor: those that an account may claim, and the newest for a name to show.
    create index report_by_address on ${schema}.report (reporter_blind, created_at desc)
      where owner_id is null and reporter_blind is not null;
    -- Pending reports whose reporter has not confirmed the address.
    create index report_unconfirmed on ${schema}.report (created_at desc, id desc)
      where ${IS_UNCONFIRMED};
    -- Reports that wait for their reporter, and those that were answered.
    create index report_asked on ${schema}.report (asked_until) where asked_until is not null;
    create index report_answered on ${schema}.report (answered_at) where answered_at is not null;
    -- Deletions that wait for another admin.
    create index report_deletion_requested on ${schema}.report (created_at desc, id desc)
      where deletion_request is not null;
    -- Deleted reports in the order in which they are erased.
    create index hidden_report_by_end on ${schema}.hidden_report (${DELETION_ERASE_AT}, id);
    -- The lists' filters. No statistics of texts are kept; see NAMING_COLUMNS.
    create index report_by_filter on ${schema}.report
      using gin ((${ofRow(REPORT_TERMS)}), (${ofRow(REPORT_WORDS)}),
        (${ofRow(REPORT_TEXT)}) public.gin_trgm_ops);
    alter index ${schema}.report_by_filter alter column 2 set statistics 0,
      alter column 3 set statistics 0;
    -- Possible matches of a pending report.
    create index report_by_match_key on ${schema}.report using gin (match_keys);
    ${createFigureIndexes(schema)}
    ${createFileIndexes(schema)}
  `;
}
