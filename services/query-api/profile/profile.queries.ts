import type { ReadableAccount } from "#command-tables/account.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";

/** An account as command-api stores it, without its password. */
export type AccountRow = Pick<
  ReadableAccount,
  "id" | "role" | "confirmed" | "created_at" | "last_login_at" | "email_sealed"
>;

export async function findAccount(
  db: ReadModelDatabase,
  id: string,
): Promise<AccountRow | undefined> {
  return await db
    .selectFrom("command.account")
    .select(["id", "role", "confirmed", "created_at", "last_login_at", "email_sealed"])
    .where("id", "=", id)
    .executeTakeFirst();
}
