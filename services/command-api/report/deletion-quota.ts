import type { Pool } from "pg";
import { DomainError } from "#contracts/domain-error.ts";
import { DELETIONS_MS, MOST_DELETIONS } from "#contracts/report/reporter-rules.ts";
import { lockUntilCommit } from "#runtime/db/lock.ts";
import { inTransaction } from "#runtime/db/migrate.ts";

interface Counted {
  readonly accountId: string;
  readonly id: string;
  readonly now: string;
  readonly waits: boolean;
  readonly most: number;
}

/** Counts the deletions of an account within the hour, over all processes. */
export class DeletionQuota {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Counts a deletion before it happens, once however often it is tried. One that fails afterwards stays counted.
   * @param id of what is deleted.
   * @param now RFC 3339, UTC.
   * @returns whether the account may delete it now.
   */
  take(accountId: string, id: string, now: string): Promise<boolean> {
    return this.#add({ accountId, id, now, waits: false, most: MOST_DELETIONS });
  }

  /** Whether admins are emailed of a deletion that waits: of the first one by an account within the hour. */
  isTold(accountId: string, id: string, now: string): Promise<boolean> {
    return this.#add({ accountId, id, now, waits: true, most: 1 });
  }

  /** @returns whether it is one of the first within the hour. */
  #add({ accountId, id, now, waits, most }: Counted): Promise<boolean> {
    return inTransaction(this.#pool, async (client) => {
      // One after the other, or two at once would both be the last.
      await lockUntilCommit(client, `deletion ${accountId}`);
      const since = new Date(Date.parse(now) - DELETIONS_MS);
      await client.query("delete from command.deletion where deleted_at <= $1", [since]);
      const { rows } = await client.query<{ deleted_id: string }>(
        "select deleted_id from command.deletion where account_id = $1 and waits = $2",
        [accountId, waits],
      );
      if (rows.some(({ deleted_id }) => deleted_id === id)) return true;
      if (rows.length >= most) return false;
      await client.query("insert into command.deletion values ($1, $2, $3, $4)", [
        accountId,
        id,
        waits,
        now,
      ]);
      return true;
    });
  }

  /**
   * The same for what cannot be brought back and needs no second admin.
   * @throws {DomainError} `too_many_requests`
   */
  async require(accountId: string, id: string, now: string): Promise<void> {
    if (await this.take(accountId, id, now)) return;
    throw new DomainError(
      "too_many_requests",
      `You deleted ${MOST_DELETIONS} reports, files, users or notices within an hour. Nothing was deleted. Try again in an hour, or ask another admin.`,
    );
  }
}
