import type { Pool } from "pg";
import { LEASE_MS, type Taken } from "#contracts/http/queue.ts";
import type { Dependencies } from "../dependencies.ts";
import type { Caller } from "../kernel/envelope.ts";
import { reportAggregate } from "../report/report.aggregate.ts";

/** Condition that the lease `l` is in force at time `$1`: neither it nor its session has ended. */
const IN_FORCE = `l.until > $1 and not exists (
  select from command.session s where s.id = l.session_id and s.ended_at is not null)`;

/** Stores which moderator holds which report of the queue, as leases that expire. */
export class QueueLeases {
  readonly #pool: Pick<Pool, "query">;

  constructor(pool: Pick<Pool, "query">) {
    this.#pool = pool;
  }

  /**
   * Atomically takes a report that is free or already the holder's.
   * @param now RFC 3339, UTC.
   * @returns when the lease expires; undefined if someone else holds it.
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
         where l.account_id = excluded.account_id or not (${IN_FORCE})`,
      [now, reportId, holder.accountId, holder.sessionId ?? null, until],
    );
    return rowCount ? until : undefined;
  }

  async leave(reportId: string, accountId: string): Promise<void> {
    await this.#pool.query(
      "delete from command.queue_lease where report_id = $1 and account_id = $2",
      [reportId, accountId],
    );
  }

  /** Ends the lease of a report that has been decided or deleted. */
  async end(reportId: string): Promise<void> {
    await this.#pool.query("delete from command.queue_lease where report_id = $1", [reportId]);
  }

  async sweep(nowMs: number): Promise<void> {
    await this.#pool.query("delete from command.queue_lease where until <= $1", [
      new Date(nowMs).toISOString(),
    ]);
  }
}

/** Takes the first free report that is still undecided; the list may be stale. @returns an empty object if none. */
export async function takeFirst(
  { handler, leases, own }: Pick<Dependencies, "handler" | "leases" | "own">,
  reportIds: readonly string[],
  caller: Caller,
): Promise<Taken> {
  const { actor, now } = caller;
  const holder = { accountId: actor.id, sessionId: actor.sessionId };
  for (const report_id of reportIds) {
    const until = await leases.take(report_id, holder, now);
    if (until === undefined) continue;
    const report = (await handler.load(reportAggregate(report_id)))?.state;
    const waits = report?.status === "pending" || report?.status === "under_review";
    if (waits && !(await own.concerns(report_id, report, caller)))
      return { taken: { report_id, until } };
    await leases.leave(report_id, actor.id);
  }
  return {};
}
