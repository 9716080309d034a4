import type { PaymentsQuery } from "#contracts/http/documents.ts";
import { RESOLUTION_STAGES } from "#contracts/report/resolution.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { RESOLUTION_STAGE } from "#read-model/tables/report.ts";
import { newestPage } from "../keyset-lists.ts";
import { LISTED_REPORT } from "../listed-report.ts";

/** A page of the last requests for the RESOLVED banner, those that moved on last first. */
export function findPayments(db: ReadModelDatabase, { stage, after }: PaymentsQuery) {
  const stages = stage ? [stage] : Object.keys(RESOLUTION_STAGES);
  const query = db
    .selectFrom("reports.report")
    .select([...LISTED_REPORT, "resolution", "resolution_at"])
    .where("resolution_at", "is not", null);
  return newestPage(db, query, {
    list: "payments",
    order: { time: "resolution_at", timeType: "timestamptz", idType: "uuid" },
    wanted: [[RESOLUTION_STAGE, stages]],
    after,
  });
}
