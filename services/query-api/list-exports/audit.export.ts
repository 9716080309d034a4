import { AuditEntry, AuditQuery } from "#contracts/http/audit.ts";
import type { AuditReader } from "../audit-log/audit-reader.ts";
import { narrow } from "../audit-log/narrow.ts";
import { columnsOf, type ExportedList, filterReader } from "./exported-list.ts";

const { search, status, action } = AuditQuery.properties;
const readFilter = filterReader({ search, status, action });

/** The audit log. A search by an id finds the entries that the list finds. */
export function exportedAudit(audit: AuditReader): ExportedList {
  return {
    columns: columnsOf(AuditEntry),
    async count(filter, log) {
      return audit.count(narrow(readFilter(filter)), log);
    },
    async page(filter, { from, limit }, log) {
      const { entries, places } = await audit.from(
        narrow(readFilter(filter)),
        from,
        limit + 1,
        log,
      );
      const next = places[limit];
      return { rows: entries.slice(0, limit), ...(next === undefined ? {} : { next }) };
    },
  };
}
