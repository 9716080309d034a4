import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { JobOutcome } from "#contracts/http/jobs.ts";
import { ANSWER_HOURS } from "#contracts/inquiry/inquiry-forms.ts";
import {
  DUE_HOURS,
  FAILED_MAIL_DAYS,
  MAX_COUNTED,
  type NotificationKind,
  WAITING_HOURS,
  type WorkList,
} from "#contracts/notification/notification-kinds.ts";
import type { SystemActionName } from "#contracts/system/actions.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { FAILED_MAIL } from "#read-model/tables/outbox.ts";
import { RESOLUTION_STAGE } from "#read-model/tables/report.ts";
import { readThroughIndexes } from "../keyset-lists.ts";
import { COUNT_TO_DECIDE, TO_DECIDE } from "../queue/queue.queries.ts";

/** The items of a kind. `since` and `due` are null if there are none. */
export interface Found {
  readonly count: number;
  readonly late: number;
  readonly since: Date | null;
  /** When the first is due; null for kinds without a due date. */
  readonly due: Date | null;
}

const SCAN: SystemActionName = "security-scan";
/** Outcome of a scan line that found something. */
const FINDING: JobOutcome = "refused";

const hours = (count: number) => sql`make_interval(hours => ${count})`;
const no = sql<SqlBool>`false`;

const parts = Object.values(TO_DECIDE);

/** When the first items in both parts of the queue started waiting: all, or those that have waited over a day. */
const waiting = (which: "are" | "areLate") =>
  sql`(${sql.join(
    parts.map(
      (part) => sql`(select ${part.since} as since from reports.report r where ${part[which]}
    order by ${part.order} limit ${MAX_COUNTED})`,
    ),
    sql` union all `,
  )}) w`;

/** Rows of a kind, and which of them are late. Each reads an index in order. */
interface Rows {
  readonly since: RawBuilder<Date>;
  readonly late: RawBuilder<SqlBool>;
  readonly due?: RawBuilder<Date>;
  readonly of: RawBuilder<unknown>;
  /** Their number, if more than {@link MAX_COUNTED} are counted. */
  readonly count?: RawBuilder<number>;
}

const isUndecided = sql`inquiries.notice n where n.decided_at is null`;
const noticeTimes = {
  since: sql<Date>`n.received_at`,
  late: sql<SqlBool>`n.due_at < now()`,
  due: sql<Date>`n.due_at`,
};

const KINDS: Readonly<Record<NotificationKind, Rows>> = {
  waiting_reports: {
    since: sql`w.since`,
    late: no,
    of: waiting("areLate"),
  },
  waiting_deletions: {
    since: sql`(r.deletion_request->>'at')::timestamptz`,
    late: no,
    of: sql`reports.report r where r.deletion_request is not null
      order by r.created_at desc, r.id desc`,
  },
  due_notices: {
    ...noticeTimes,
    of: sql`${isUndecided} and n.due_at < now() + ${hours(DUE_HOURS)} order by n.due_at`,
  },
  waiting_inquiries: {
    since: sql`i.waiting_since`,
    late: sql`i.waiting_since < now() - ${hours(ANSWER_HOURS)}`,
    due: sql`i.waiting_since + ${hours(ANSWER_HOURS)}`,
    of: sql`inquiries.inquiry i where i.answered_at is null order by i.waiting_since, i.id`,
  },
  failed_mails: {
    since: sql`m.dropped_at`,
    late: no,
    of: sql`outbox.mail m where ${sql.raw(FAILED_MAIL)}
      and m.dropped_at > now() - make_interval(days => ${FAILED_MAIL_DAYS}) order by m.dropped_at`,
  },
  parked_events: {
    since: sql`p.since`,
    late: no,
    of: sql`processor.parked_stream p order by p.processor, p.stream`,
  },
  scan_findings: {
    since: sql`j.ended_at`,
    late: no,
    of: sql`(select id, ended_at from command.job
      where kind = ${SCAN} and state = 'done' order by created_at desc limit 1) j
      join command.job_line l on l.job_id = j.id
      where l.outcome = ${FINDING}`,
  },
};

const WORK: Readonly<Record<WorkList, Rows>> = {
  queue: {
    since: sql`w.since`,
    late: sql`w.since < now() - ${hours(WAITING_HOURS)}`,
    of: sql`${waiting("are")} order by w.since`,
    count: COUNT_TO_DECIDE,
  },
  resolutions: {
    since: sql`r.resolution_at`,
    late: no,
    of: sql`reports.report r where r.resolution_at is not null
      and ${sql.raw(RESOLUTION_STAGE)} in ('requested', 'letter_accepted')
      order by ${sql.raw(RESOLUTION_STAGE)} desc, r.resolution_at, r.id`,
  },
  notices: { ...noticeTimes, of: sql`${isUndecided} order by n.due_at` },
  inquiries: KINDS.waiting_inquiries,
  mails: KINDS.failed_mails,
};

/** Returns the SQL for the items of a kind or the open items of a list. */
export function notifiedBy(name: NotificationKind | WorkList): RawBuilder<Found> {
  const {
    since,
    late,
    of,
    due = sql`null::timestamptz`,
    count = sql`count(*)::int`,
  } = name in KINDS ? KINDS[name as NotificationKind] : WORK[name as WorkList];
  return sql<Found>`
    select ${count} as count, (count(*) filter (where late))::int as late, min(since) as since,
      min(due) as due
    from (select ${since} as since, ${late} as late, ${due} as due from ${of} limit ${MAX_COUNTED}) found`;
}

/** Returns the items of a kind, or the open items of a list. */
export function findNotified(
  db: ReadModelDatabase,
  name: NotificationKind | WorkList,
): Promise<Found> {
  return readThroughIndexes(db, "ordered", async (reads) => {
    const { rows } = await notifiedBy(name).execute(reads.db);
    return rows[0] ?? { count: 0, late: 0, since: null, due: null };
  });
}
