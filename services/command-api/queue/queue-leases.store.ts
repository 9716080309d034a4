import type { Pool } from "pg";
import { LEASE_MS } from "#contracts/http/queue.ts";

/** Whether the row `l` counts at the time `$1`: its time is not over, and neither is its session. */
const COUNTS = `l.until > $1 and not exists (
  select from command.session s where s.id = l.session_id and s.ended_at is not null)`;

/**
 * Which moderator has which report of the queue. A lease ends by itself, so that a browser that is gone
 * holds up nobody for long.
 */
export class QueueLeases {
  readonly #pool: Pick<Pool, "query">;

  constructor(pool: Pick<Pool, "query">) {
    this.#pool = pool;
  }

  /**
   * Takes a report that nobody else has. One statement decides, so of several moderators who ask at once
   * one gets it.
   * @param now RFC 3339, UTC.
   * @returns until when; undefined where another account has it.
   */
  async take(
    reportId: string,
    holder: { readonly accountId: string; readonly sessionId: string | undefined },
    now: string,
  ): Promise<string | undefined> {
    const until = new Date(Date.parse(now) + LEASE_MS).toISOString();
    const { rowCount } = await this.#pool.query(
      `insert into command.queue_lease as l (report_id, account_id, session_id, until)
       values ($2, $3, $4, $5)
       on conflict (report_id) do update
         set account_id = excluded.account_id, session_id = excluded.session_id,
           until = excluded.until
         where l.account_id = excluded.account_id or not (${COUNTS})`,
      [now, reportId, holder.accountId, holder.sessionId ?? null, until],
    );
    return rowCount ? until : undefined;
  }

  /** Ends the account's lease of the report. */
  async leave(reportId: string, accountId: string): Promise<void> {
    await this.#pool.query(
      "delete from command.queue_lease where report_id = $1 and account_id = $2",
      [reportId, accountId],
    );
  }

  /** Ends the lease of a report that nobody needs to decide any more. */
  async end(reportId: string): Promise<void> {
    await this.#pool.query("delete from command.queue_lease where report_id = $1", [reportId]);
  }

  /** Removes leases whose time is over. */
  async sweep(nowMs: number): Promise<void> {
    await this.#pool.query("delete from command.queue_lease where until <= $1", [
      new Date(nowMs).toISOString(),
    ]);
  }
}
