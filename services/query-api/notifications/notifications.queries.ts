import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { JobOutcome } from "#contracts/http/jobs.ts";
import { ANSWER_HOURS } from "#contracts/inquiry/inquiry-forms.ts";
import {
  DUE_HOURS,
  FAILED_MAIL_DAYS,
  MOST_COUNTED,
  type NotificationKind,
} from "#contracts/notification/notification-kinds.ts";
import type { SystemActionName } from "#contracts/system/actions.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { FAILED_MAIL } from "#read-model/tables/outbox.ts";
import { readThroughIndexes } from "../keyset-lists.ts";
import { TO_DECIDE } from "../queue/queue.queries.ts";

/** What there is of a kind. `since` is null where there is nothing. */
export interface Found {
  readonly count: number;
  readonly late: number;
  readonly since: Date | null;
}

const SCAN: SystemActionName = "security-scan";
/** What became of a line of a scan that found something. */
const FINDING: JobOutcome = "refused";

const hours = (count: number) => sql`make_interval(hours => ${count})`;
const no = sql<SqlBool>`false`;

/** Since when those of a part of the queue wait, that wait longer than a day. */
function waitingIn(part: keyof typeof TO_DECIDE): RawBuilder<unknown> {
  const { since, areLate, order } = TO_DECIDE[part];
  return sql`(select ${since} as since from reports.report r where ${areLate}
    order by ${order} limit ${MOST_COUNTED})`;
}

/** Rows of each kind, and those of them that are late. Each reads an index in its order. */
const KINDS: Readonly<
  Record<
    NotificationKind,
    {
      readonly since: RawBuilder<Date>;
      readonly late: RawBuilder<SqlBool>;
      readonly of: RawBuilder<unknown>;
    }
  >
> = {
  waiting_reports: {
    since: sql`w.since`,
    late: no,
    of: sql`(${waitingIn("answered")} union all ${waitingIn("confirmed")}) w`,
  },
  waiting_deletions: {
    since: sql`(r.deletion_request->>'at')::timestamptz`,
    late: no,
    of: sql`reports.report r where r.deletion_request is not null
      order by r.created_at desc, r.id desc`,
  },
  due_notices: {
    since: sql`n.received_at`,
    late: sql`n.due_at < now()`,
    of: sql`inquiries.notice n where n.decided_at is null and n.due_at < now() + ${hours(DUE_HOURS)}
      order by n.due_at`,
  },
  waiting_inquiries: {
    since: sql`i.received_at`,
    late: sql`i.received_at < now() - ${hours(ANSWER_HOURS)}`,
    of: sql`inquiries.inquiry i where i.answered_at is null order by i.received_at, i.id`,
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

/** SQL of what there is of a kind, counted up to {@link MOST_COUNTED}. */
export function notifiedBy(kind: NotificationKind): RawBuilder<Found> {
  const { since, late, of } = KINDS[kind];
  return sql<Found>`
    select count(*)::int as count, (count(*) filter (where late))::int as late, min(since) as since
    from (select ${since} as since, ${late} as late from ${of} limit ${MOST_COUNTED}) found`;
}

/** What there is of a kind. */
export function findNotified(db: ReadModelDatabase, kind: NotificationKind): Promise<Found> {
  return readThroughIndexes(db, "ordered", async (reads) => {
    const { rows } = await notifiedBy(kind).execute(reads.db);
    return rows[0] ?? { count: 0, late: 0, since: null };
  });
}
