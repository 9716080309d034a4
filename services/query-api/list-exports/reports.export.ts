import { REPORT_FILTERS } from "#contracts/http/admin-reports.ts";
import { AdminReport } from "#contracts/http/report-view.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { countReports, reportsFrom } from "../admin-reports/exported-reports.queries.ts";
import { presentAdminReport } from "../reports/report-rows.presenter.ts";
import { columnsOf, type ExportedList, filterReader, newestCreated } from "./exported-list.ts";

const readFilter = filterReader(REPORT_FILTERS);

/** The moderators' list. */
export function exportedReports(db: ReadModelDatabase): ExportedList {
  return newestCreated({
    // Which reports are the reader's own belongs to the reader, not to the list.
    columns: columnsOf(AdminReport).filter((column) => column !== "own"),
    wanted: readFilter,
    count: (wanted) => countReports(db, wanted),
    rowsFrom: (...wanted) => reportsFrom(db, ...wanted),
    present: presentAdminReport,
  });
}
