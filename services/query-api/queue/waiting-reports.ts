import { type RawBuilder, type SqlBool, sql } from "kysely";
import { WAITING_HOURS } from "#contracts/notification/notification-kinds.ts";
import { NOT_OF_BANNED } from "../users/of-banned.ts";

interface WaitingPart {
  /** Which reports `r` are in it. */
  readonly are: RawBuilder<SqlBool>;
  /** What they are read by. An index has this order. */
  readonly order: RawBuilder<unknown>;
  /** Since when they wait for a moderator. */
  readonly since: RawBuilder<Date>;
  /** Those of them that wait longer than a day. */
  readonly areLate: RawBuilder<SqlBool>;
}

const late = sql`now() - make_interval(hours => ${WAITING_HOURS})`;

function part(waiting: Omit<WaitingPart, "areLate">, isLate: RawBuilder<SqlBool>): WaitingPart {
  const are = sql<SqlBool>`${waiting.are} and ${NOT_OF_BANNED}`;
  return { ...waiting, are, areLate: sql<SqlBool>`${are} and ${isLate}` };
}

/** The reports `r` that wait for a moderator, in two parts, each read from an index in its order. */
export const WAITING = {
  /** Those whose reporter has answered: they wait since the answer. */
  answered: part(
    {
      are: sql<SqlBool>`r.answered_at is not null and r.status in ('pending', 'under_review')`,
      order: sql`r.answered_at`,
      since: sql`r.answered_at`,
    },
    sql<SqlBool>`r.answered_at < ${late}`,
  ),
  /** Confirmed ones that wait for no answer. */
  confirmed: part(
    {
      // `between` instead of `=`, so that the planner takes the index that starts with the status.
      are: sql<SqlBool>`r.status between 'pending' and 'pending' and r.verified
        and r.answered_at is null and (r.asked_until is null or r.asked_until <= now())`,
      order: sql`r.status, r.created_at, r.id`,
      since: sql`r.waiting_since`,
    },
    // No report waits longer than it exists, which bounds the part of the index.
    sql<SqlBool>`r.created_at < ${late} and r.waiting_since < ${late}`,
  ),
} as const satisfies Readonly<Record<string, WaitingPart>>;

/** Whether the report `r` waits for a moderator longer than a day. */
export const WAITS_LONG = sql<SqlBool>`((${WAITING.answered.areLate}) or (${WAITING.confirmed.areLate}))`;
