import type { Pool } from "pg";
import { DELETIONS_MS, MOST_DELETIONS } from "#contracts/report/deletion-rules.ts";
import { inTransaction } from "#runtime/db/transaction.ts";

/** Counts the deletions of an account within the hour, over all processes. */
export class DeletionQuota {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Counts a deletion before it happens, once however often it is tried. One that fails afterwards stays counted.
   * @param now RFC 3339, UTC.
   * @returns whether the account may delete the report now.
   */
  take(accountId: string, reportId: string, now: string): Promise<boolean> {
    return inTransaction(this.#pool, async (client) => {
      // One after the other, or two at once would both be the last.
      await client.query("select pg_advisory_xact_lock(hashtextextended('deletion ' || $1, 0))", [
        accountId,
      ]);
      const since = new Date(Date.parse(now) - DELETIONS_MS);
      await client.query("delete from command.deletion where deleted_at <= $1", [since]);
      const { rows } = await client.query<{ report_id: string }>(
        "select report_id from command.deletion where account_id = $1",
        [accountId],
      );
      if (rows.some(({ report_id }) => report_id === reportId)) return true;
      if (rows.length >= MOST_DELETIONS) return false;
      await client.query("insert into command.deletion values ($1, $2, $3)", [
        accountId,
        reportId,
        now,
      ]);
      return true;
    });
  }
}
