import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { ReportFilters } from "#contracts/http/admin-reports.ts";
import { QUEUE_FRONT } from "#contracts/http/queue.ts";
import { WAITING_HOURS } from "#contracts/notification/notification-kinds.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { CONCERNS, type Concerns } from "../admin-reports/own-reports.ts";
import { readThroughIndexes } from "../keyset-lists.ts";
import { MAX_WINDOW } from "../placed-lists.ts";
import { NOT_OF_BANNED } from "../users/users.queries.ts";

/** IDs of the reports at the front, when each started waiting, and the number of reports to decide. */
interface QueueFront {
  readonly reports: string[];
  readonly since: string[];
  readonly to_decide: number;
}

interface QueueParts {
  readonly answered: readonly string[];
  readonly confirmed: readonly string[];
  readonly to_decide: number;
}

/** Returns the front of the queue without reports that concern the account, and the length of the whole queue. */
export async function findQueue(db: ReadModelDatabase, concerns: Concerns): Promise<QueueFront> {
  // Names are compared in a normalized form that the database doesn't have, and few reports name a moderator.
  for (let most = QUEUE_FRONT; ; most *= 4) {
    const { answered, confirmed, to_decide } = await findParts(db, most);
    const sinceOf = await othersAmong(db, [...answered, ...confirmed], concerns);
    const isForThem = (id: string) => sinceOf.has(id);
    const [first, then] = [answered.filter(isForThem), confirmed.filter(isForThem)];
    const reports = [...first, ...then].slice(0, QUEUE_FRONT);
    const isRead =
      first.length >= QUEUE_FRONT ||
      (answered.length < most && (reports.length >= QUEUE_FRONT || confirmed.length < most));
    if (isRead || most >= MAX_WINDOW)
      return { reports, since: reports.map((id) => sinceOf.get(id) ?? ""), to_decide };
  }
}

/** Returns the reports that don't concern the account, with when each started waiting. */
async function othersAmong(
  db: ReadModelDatabase,
  ids: readonly string[],
  concerns: Concerns,
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("reports.report")
    .select(["id", "waiting_since", "answered_at", ...CONCERNS])
    .where("id", "=", (eb) => eb.fn.any(eb.val([...ids]).$castTo<string[]>()))
    .execute();
  return new Map(
    rows
      .filter((row) => !concerns(row))
      .map(({ id, waiting_since, answered_at }) => [
        id,
        (answered_at ?? waiting_since).toISOString(),
      ]),
  );
}

/** Reads both parts in index order. @param most reports of each part. */
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

/** Claims of reports that are in force. */
export function openClaims(db: ReadModelDatabase) {
  return db
    .selectFrom("command.queue_lease as l")
    .leftJoin("command.session as s", "s.id", "l.session_id")
    .select(["l.report_id", "l.account_id", "l.until"])
    .where("s.ended_at", "is", null)
    .where("l.until", ">", sql<Date>`now()`)
    .limit(MAX_WINDOW);
}

/** Returns the reports that other accounts have claimed, those that expire first on top. */
export function claimedByOthers(db: ReadModelDatabase, account: string) {
  return openClaims(db)
    .where("l.account_id", "<>", account)
    .orderBy("l.until")
    .orderBy("l.report_id")
    .execute();
}

interface DecidePart {
  readonly are: RawBuilder<SqlBool>;
  /** The sort order, which an index has. */
  readonly order: RawBuilder<unknown>;
  /** When they started waiting for a moderator. */
  readonly since: RawBuilder<Date>;
  /** Condition that they have waited for more than a day. */
  readonly areLate: RawBuilder<SqlBool>;
}

const late = sql`now() - make_interval(hours => ${WAITING_HOURS})`;

function part(waiting: Omit<DecidePart, "areLate">, isLate: RawBuilder<SqlBool>): DecidePart {
  const are = sql<SqlBool>`${waiting.are} and ${NOT_OF_BANNED}`;
  return { ...waiting, are, areLate: sql<SqlBool>`${are} and ${isLate}` };
}

/** Reports `r` awaiting a moderator, in two parts, each read in index order. */
export const TO_DECIDE = {
  /** Those whose reporter has replied; they wait since the reply. */
  answered: part(
    {
      are: sql<SqlBool>`r.answered_at is not null and r.status in ('pending', 'under_review')`,
      order: sql`r.answered_at`,
      since: sql`r.answered_at`,
    },
    sql<SqlBool>`r.answered_at < ${late}`,
  ),
  /** Confirmed ones not awaiting a reply. */
  confirmed: part(
    {
      // `between` instead of `=`, so that the planner uses the index that starts with the status.
      are: sql<SqlBool>`r.status between 'pending' and 'pending' and r.verified
        and r.answered_at is null and (r.asked_until is null or r.asked_until <= now())`,
      order: sql`r.status, r.created_at, r.id`,
      since: sql`r.waiting_since`,
    },
    // No report has waited longer than it has existed, so this bounds the index scan.
    sql<SqlBool>`r.created_at < ${late} and r.waiting_since < ${late}`,
  ),
} as const satisfies Readonly<Record<string, DecidePart>>;

/** Conditions on reports `r` for each list of waiting reports. The counts of the same name use these. */
export const WAITING: {
  readonly [Filter in "to_decide" | "asked"]: Readonly<
    Record<NonNullable<ReportFilters[Filter]>, RawBuilder<SqlBool>>
  >;
} = {
  to_decide: {
    all: sql`((${TO_DECIDE.answered.are}) or (${TO_DECIDE.confirmed.are}))`,
    late: sql`((${TO_DECIDE.answered.areLate}) or (${TO_DECIDE.confirmed.areLate}))`,
  },
  asked: {
    waiting: sql`r.asked_until > now()`,
    answered: sql`r.answered_at is not null`,
  },
};

/** SQL for the number of reports `r` that meet a condition, counted up to the window. */
export const countTo = (condition: RawBuilder<SqlBool>) => sql<number>`(
  select count(*) from (select 1 from reports.report r where ${condition} limit ${MAX_WINDOW}) r)`;

/** SQL for the number of reports to decide, counted up to the window. */
export const COUNT_TO_DECIDE = sql<number>`least(${MAX_WINDOW},
  ${countTo(TO_DECIDE.answered.are)} + ${countTo(TO_DECIDE.confirmed.are)})`;
