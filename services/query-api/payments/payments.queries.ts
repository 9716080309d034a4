import type { PaymentsQuery } from "#contracts/http/payments.ts";
import { RESOLUTION_STAGES } from "#contracts/report/resolution.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { RESOLUTION_STAGE } from "#read-model/tables/report.ts";
import { type KeysetOrder, readNewest } from "../keyset-lists.ts";
import { LISTED_REPORT } from "../listed-report.ts";

const ORDER: KeysetOrder = { time: "resolution_at", timeType: "timestamptz", idType: "uuid" };

/** The last requests for the RESOLVED banner, those that moved on last first; one more than a page shows. */
export function findPayments(db: ReadModelDatabase, { stage, after }: PaymentsQuery) {
  const stages = stage ? [stage] : Object.keys(RESOLUTION_STAGES);
  const query = db
    .selectFrom("reports.report")
    .select([...LISTED_REPORT, "resolution", "resolution_at"])
    .where("resolution_at", "is not", null);
  return readNewest(db, query, [[RESOLUTION_STAGE, stages]], ORDER, after);
}
