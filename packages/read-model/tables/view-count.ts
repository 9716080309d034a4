/**
 * `views.report_views`: how often a report was looked at. Made and written by command-api
 * (services/command-api/views); no events stand behind it, so no rebuild touches it.
 */
export interface ReportViewsTable {
  report_id: string;
  views: number;
}
