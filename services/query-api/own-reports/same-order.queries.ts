import { sql } from "kysely";
import type { ReadModelDatabase } from "#read-model/database.ts";

/**
 * The newest of the account's own reports about an order; undefined without one. Case does not count. Two
 * reports that name different merchants are about different orders, whose numbers happen to be the same.
 * @param order the order ID or tracking number.
 * @param merchant the public company name; null where none is given, which fits every merchant.
 */
export function findSameOrder(
  db: ReadModelDatabase,
  accountId: string,
  { order, merchant }: { readonly order: string; readonly merchant: string | null },
) {
  return db
    .selectFrom("reports.report")
    .select(["id", "status", "created_at"])
    .where("owner_id", "=", accountId)
    .where("owned_since", ">", (from) =>
      from.selectFrom("accounts.account").select("owns_after").where("id", "=", accountId),
    )
    .where(sql<boolean>`lower(tracking_number) = lower(${order})`)
    .where(
      sql<boolean>`(${merchant}::text is null or public_username is null
        or lower(public_username) = lower(${merchant}))`,
    )
    .orderBy("owned_since", "desc")
    .limit(1)
    .executeTakeFirst();
}
