import { REPORT_FILTERS } from "#contracts/http/admin-reports.ts";
import { afterRow, rowOfAfter } from "#contracts/http/keyset.ts";
import { AdminReport } from "#contracts/http/report-view.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { countReports, reportsFrom } from "../admin-reports/exported-reports.queries.ts";
import { presentAdminReport } from "../reports/report-rows.presenter.ts";
import { columnsOf, type ExportedList, filterReader } from "./exported-list.ts";

const readFilter = filterReader(REPORT_FILTERS);

/** The moderators' list. */
export function exportedReports(db: ReadModelDatabase): ExportedList {
  const list: ExportedList = {
    // Which reports are the reader's own belongs to the reader, not to the list.
    columns: columnsOf(AdminReport).filter((column) => column !== "own"),
    async count(filter) {
      const wanted = readFilter(filter);
      const rows = await countReports(db, wanted);
      const [first] = await reportsFrom(db, wanted, undefined, 1, rows);
      return { rows, first: first && placeOf(first) };
    },
    async page(filter, { from, limit, counted }) {
      const after = from === undefined ? undefined : rowOfAfter(from);
      const found = await reportsFrom(db, readFilter(filter), after, limit + 1, counted);
      const next = found[limit];
      return {
        rows: found.slice(0, limit).map(presentAdminReport),
        ...(next ? { next: placeOf(next) } : {}),
      };
    },
  };
  return list;
}

function placeOf({ created_at, id }: { readonly created_at: Date; readonly id: string }): string {
  return afterRow({ at: created_at.toISOString(), id });
}
