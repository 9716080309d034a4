import { sql } from "kysely";
import type { PaymentsQuery } from "#contracts/http/payments.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { newestFirst } from "../keyset-lists.ts";
import { LISTED_REPORT } from "../listed-report.ts";

/** The last requests for the RESOLVED banner, those that moved on last first; one more than a page shows. */
export function findPayments(db: ReadModelDatabase, { stage, after }: PaymentsQuery) {
  let query = db
    .selectFrom("reports.report")
    .select([...LISTED_REPORT, "resolution", "resolution_at"])
    .where("resolution_at", "is not", null);
  if (stage) query = query.where(sql`resolution ->> 'stage'`, "=", stage);
  return newestFirst(query, "resolution_at", after).execute();
}
