import { sql } from "kysely";
import { QUEUE_FRONT } from "#contracts/http/queue.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { CONCERNS, type Concerns } from "../admin-reports/own-reports.ts";
import { readThroughIndexes } from "../indexed-reads.ts";
import { MAX_WINDOW } from "../paging.ts";
import { COUNT_TO_DECIDE, TO_DECIDE } from "./waiting-reports.ts";

/** Ids of the reports at the front, and how many there are to decide. */
export interface QueueFront {
  readonly reports: string[];
  readonly to_decide: number;
}

/** Both parts of the queue, each in its order, and how many reports are in both. */
interface QueueParts {
  readonly answered: readonly string[];
  readonly confirmed: readonly string[];
  readonly to_decide: number;
}

/** The front of the queue without what concerns an account, and the length of the whole queue. */
export async function findQueue(db: ReadModelDatabase, concerns: Concerns): Promise<QueueFront> {
  // Names are compared in a form that the database does not know, and few reports name a moderator.
  for (let most = QUEUE_FRONT; ; most *= 4) {
    const { answered, confirmed, to_decide } = await findParts(db, most);
    const own = await concerningAmong(db, [...answered, ...confirmed], concerns);
    const isForThem = (id: string) => !own.has(id);
    const [first, then] = [answered.filter(isForThem), confirmed.filter(isForThem)];
    const reports = [...first, ...then].slice(0, QUEUE_FRONT);
    const isRead =
      first.length >= QUEUE_FRONT ||
      (answered.length < most && (reports.length >= QUEUE_FRONT || confirmed.length < most));
    if (isRead || most >= MAX_WINDOW) return { reports, to_decide };
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
function findParts(db: ReadModelDatabase, most: number): Promise<QueueParts> {
  const front = ({ are, order }: (typeof TO_DECIDE)[keyof typeof TO_DECIDE]) =>
    sql<
      string[]
    >`array(select r.id from reports.report r where ${are} order by ${order} limit ${most})`;
  return readThroughIndexes(db, "ordered", (reads) =>
    reads.db
      .selectNoFrom([
        front(TO_DECIDE.answered).as("answered"),
        front(TO_DECIDE.confirmed).as("confirmed"),
        COUNT_TO_DECIDE.as("to_decide"),
      ])
      .executeTakeFirstOrThrow(),
  );
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
