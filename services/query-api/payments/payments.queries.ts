import { sql } from "kysely";
import { KEYSET_PAGE, rowOfAfter } from "#contracts/http/keyset.ts";
import type { PaymentsQuery } from "#contracts/http/payments.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { LISTED_REPORT } from "../listed-report.ts";

/** The last requests for the RESOLVED banner, those that moved on last first; one more than a page shows. */
export function findPayments(db: ReadModelDatabase, { stage, after }: PaymentsQuery) {
  let query = db
    .selectFrom("reports.report")
    .select([...LISTED_REPORT, "resolution", "resolution_at"])
    .where("resolution_at", "is not", null);
  if (stage) query = query.where(sql`resolution ->> 'stage'`, "=", stage);
  if (after) {
    const { at, id } = rowOfAfter(after);
    query = query.where(sql<boolean>`(resolution_at, id) < (${at}::timestamptz, ${id}::uuid)`);
  }
  return query
    .orderBy("resolution_at", "desc")
    .orderBy("id", "desc")
    .limit(KEYSET_PAGE + 1)
    .execute();
}
