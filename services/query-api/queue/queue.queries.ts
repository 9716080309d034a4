import { type RawBuilder, type SqlBool, sql } from "kysely";
import { QUEUE_FRONT } from "#contracts/http/queue.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { CONCERNS, type Concerns } from "../admin-reports/own-reports.ts";
import { readThroughIndexes } from "../indexed-reads.ts";
import { MAX_WINDOW } from "../paging.ts";
import { WAITING } from "./waiting-reports.ts";

/** Ids of the reports at the front, and how many wait. */
export interface QueueFront {
  readonly reports: string[];
  readonly waiting: number;
}

/** Both parts of the queue, each in its order, and how many wait in both. */
interface QueueParts {
  readonly answered: readonly string[];
  readonly confirmed: readonly string[];
  readonly waiting: number;
}

/**
 * The front of the queue for an account, and the length of the whole queue. An account's own reports are
 * left out of both, those that name it as far as the front is read.
 */
export async function findQueue(
  db: ReadModelDatabase,
  account: string,
  concerns: Concerns,
): Promise<QueueFront> {
  // Names are compared in a form that the database does not know, and few reports name a moderator.
  for (let most = QUEUE_FRONT; ; most *= 4) {
    const { answered, confirmed, waiting } = await findParts(db, account, most);
    const own = await concerningAmong(db, [...answered, ...confirmed], concerns);
    const isForThem = (id: string) => !own.has(id);
    const [first, then] = [answered.filter(isForThem), confirmed.filter(isForThem)];
    const reports = [...first, ...then].slice(0, QUEUE_FRONT);
    const isRead =
      first.length >= QUEUE_FRONT ||
      (answered.length < most && (reports.length >= QUEUE_FRONT || confirmed.length < most));
    if (isRead || most >= MAX_WINDOW) return { reports, waiting: waiting - own.size };
  }
}

/** Those of the reports that concern somebody. */
async function concerningAmong(
  db: ReadModelDatabase,
  ids: readonly string[],
  concerns: Concerns,
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom("reports.report")
    .select(["id", ...CONCERNS])
    .where("id", "=", (eb) => eb.fn.any(eb.val([...ids]).$castTo<string[]>()))
    .execute();
  return new Set(rows.filter(concerns).map(({ id }) => id));
}

/**
 * Both parts are read from an index in their order.
 * @param most reports of each part.
 */
function findParts(db: ReadModelDatabase, account: string, most: number): Promise<QueueParts> {
  const of = ({ are }: { readonly are: RawBuilder<SqlBool> }) =>
    sql`from reports.report r where ${are} and r.owner_id is distinct from ${account}::uuid`;
  const [answered, confirmed] = [of(WAITING.answered), of(WAITING.confirmed)];
  const front = (of: RawBuilder<unknown>, order: RawBuilder<unknown>) =>
    sql<string[]>`array(select r.id ${of} order by ${order} limit ${most})`;
  const count = (of: RawBuilder<unknown>) =>
    sql<number>`(select count(*) from (select 1 ${of} limit ${MAX_WINDOW}) r)`;
  return readThroughIndexes(db, "ordered", async (reads) => {
    const { answered_count, confirmed_count, ...row } = await reads.db
      .selectNoFrom([
        front(answered, WAITING.answered.order).as("answered"),
        front(confirmed, WAITING.confirmed.order).as("confirmed"),
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
