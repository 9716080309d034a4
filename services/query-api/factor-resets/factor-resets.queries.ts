import { sql } from "kysely";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { FACTOR_RESET_AT, type FactorResetColumn } from "#read-model/tables/account.ts";
import { readThroughIndexes } from "../indexed-reads.ts";

/** Requests, and admins, that a page shows; there are few. */
const MOST = 100;

/** Accounts whose second factor is to be switched off and is not yet, those that come first on top. */
export async function findFactorResets(
  db: ReadModelDatabase,
  now: Date,
): Promise<readonly { readonly id: string; readonly factor_reset: FactorResetColumn }[]> {
  const effectiveAt = sql<string>`${sql.raw(FACTOR_RESET_AT)}`;
  const rows = await readThroughIndexes(db, "ordered", (reads) =>
    reads.db
      .selectFrom("accounts.account")
      .select(["id", "factor_reset"])
      .where("factor_reset", "is not", null)
      .where("status", "=", "active")
      .where(effectiveAt, ">", now.toISOString())
      .orderBy(effectiveAt)
      .orderBy("id")
      .limit(MOST)
      .execute(),
  );
  return rows.flatMap(({ id, factor_reset }) => (factor_reset ? [{ id, factor_reset }] : []));
}

/** Admins with a second factor, which could be reset, without the one who asks. */
export async function findProtectedAdmins(
  db: ReadModelDatabase,
  askerId: string,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("command.account as present")
    .innerJoin("accounts.account as a", "a.id", "present.id")
    .select("present.id")
    .where("present.role", "=", "admin")
    .where("present.status", "=", "active")
    .where("a.two_factor", "=", true)
    .where("present.id", "<>", askerId)
    .limit(MOST)
    .execute();
  return rows.map(({ id }) => id);
}
