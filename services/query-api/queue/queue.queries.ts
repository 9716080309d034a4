import { type RawBuilder, type SqlBool, sql } from "kysely";
import { QUEUE_FRONT } from "#contracts/http/queue.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { readThroughIndexes } from "../indexed-reads.ts";
import { MAX_WINDOW } from "../paging.ts";
import { NOT_OF_BANNED } from "../users/of-banned.ts";

/** Ids of the reports at the front, and how many wait. */
export interface QueueRow {
  readonly answered: readonly string[];
  readonly confirmed: readonly string[];
  readonly waiting: number;
}

/**
 * The front of the queue for an account, and the length of the whole queue. Both parts are read from an
 * index in their order.
 * @param account whose own reports are left out.
 */
export function findQueue(db: ReadModelDatabase, account: string): Promise<QueueRow> {
  const others = sql<SqlBool>`r.owner_id is distinct from ${account}::uuid and ${NOT_OF_BANNED}`;
  const answered = sql`from reports.report r where r.answered_at is not null
    and r.status in ('pending', 'under_review') and ${others}`;
  // `between` instead of `=`, so that the planner takes the index that starts with the status.
  const confirmed = sql`from reports.report r where r.status between 'pending' and 'pending'
    and r.verified and r.answered_at is null
    and (r.asked_until is null or r.asked_until <= now()) and ${others}`;
  const front = (of: RawBuilder<unknown>, order: RawBuilder<unknown>) =>
    sql<string[]>`array(select r.id ${of} order by ${order} limit ${QUEUE_FRONT})`;
  const count = (of: RawBuilder<unknown>) =>
    sql<number>`(select count(*) from (select 1 ${of} limit ${MAX_WINDOW}) r)`;
  return readThroughIndexes(db, "ordered", async (reads) => {
    const { answered_count, confirmed_count, ...row } = await reads.db
      .selectNoFrom([
        front(answered, sql`r.answered_at`).as("answered"),
        front(confirmed, sql`r.status, r.created_at, r.id`).as("confirmed"),
        count(answered).as("answered_count"),
        count(confirmed).as("confirmed_count"),
      ])
      .executeTakeFirstOrThrow();
    return { ...row, waiting: Math.min(MAX_WINDOW, answered_count + confirmed_count) };
  });
}

/** Which reports other accounts have taken, the first to end first. */
export function takenByOthers(db: ReadModelDatabase, account: string) {
  return db
    .selectFrom("command.queue_lease as l")
    .leftJoin("command.session as s", "s.id", "l.session_id")
    .select(["l.report_id", "l.account_id", "l.until"])
    .where("l.account_id", "<>", account)
    .where("s.ended_at", "is", null)
    .where("l.until", ">", sql<Date>`now()`)
    .orderBy("l.until")
    .orderBy("l.report_id")
    .limit(MAX_WINDOW)
    .execute();
}
