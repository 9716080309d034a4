import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { ReportFilters } from "#contracts/http/admin-reports.ts";
import { WAITING_HOURS } from "#contracts/notification/notification-kinds.ts";
import { MAX_WINDOW } from "../paging.ts";
import { NOT_OF_BANNED } from "../users/users.queries.ts";

interface DecidePart {
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

function part(waiting: Omit<DecidePart, "areLate">, isLate: RawBuilder<SqlBool>): DecidePart {
  const are = sql<SqlBool>`${waiting.are} and ${NOT_OF_BANNED}`;
  return { ...waiting, are, areLate: sql<SqlBool>`${are} and ${isLate}` };
}

/** The reports `r` that wait for a moderator, in two parts, each read from an index in its order. */
export const TO_DECIDE = {
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
} as const satisfies Readonly<Record<string, DecidePart>>;

/** Which reports `r` a list of what waits holds. The numbers of the same name count these. */
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

/** The number of reports `r` with a condition, counted up to the window. */
export const countTo = (condition: RawBuilder<SqlBool>) => sql<number>`(
  select count(*) from (select 1 from reports.report r where ${condition} limit ${MAX_WINDOW}) r)`;

/** The number of reports to decide, counted up to the window. */
export const COUNT_TO_DECIDE = sql<number>`least(${MAX_WINDOW},
  ${countTo(TO_DECIDE.answered.are)} + ${countTo(TO_DECIDE.confirmed.are)})`;
