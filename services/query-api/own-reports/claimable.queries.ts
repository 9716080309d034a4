import type { ReadModelDatabase } from "#read-model/database.ts";

/** The sealed address of an account that may claim reports; undefined while it may not. */
export async function findConfirmedAddress(db: ReadModelDatabase, accountId: string) {
  return await db
    .selectFrom("accounts.account")
    .select("address")
    .where("id", "=", accountId)
    .where("confirmed", "=", true)
    .where("status", "=", "active")
    .executeTakeFirst();
}

/**
 * Reports that visitors submitted from an address and confirmed by the link of a mail, newest first.
 * The command decides by the log alone.
 * @param reporterBlind blind index of the address.
 */
export function findClaimable(db: ReadModelDatabase, reporterBlind: string, limit: number) {
  return db
    .selectFrom("reports.report")
    .select(["id", "title", "first_name", "last_name", "status", "created_at"])
    .where("reporter_blind", "=", reporterBlind)
    .where("owner_id", "is", null)
    .where("address_confirmed", "=", true)
    .where("origin", "=", "live")
    .orderBy("created_at", "desc")
    .limit(limit)
    .execute();
}
