import type { Selectable } from "kysely";
import { reportNumber } from "#contracts/report/masks.ts";
import type { ReportTable } from "#read-model/tables/report.ts";

/** What a list over all reports names a report by. */
export const LISTED_REPORT = ["id", "first_name", "last_name", "status"] as const;

/** Whose document or payment it is. */
export function listedReport({
  id,
  first_name,
  last_name,
  status,
}: Pick<Selectable<ReportTable>, (typeof LISTED_REPORT)[number]>) {
  return { id, number: reportNumber(id), first_name, last_name, status };
}
