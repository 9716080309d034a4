import type pg from "pg";
import type { EventStore } from "#event-store/port.ts";
import { inTransaction } from "#runtime/db/migrate.ts";
import { holdCaughtUp } from "./caught-up.ts";

const DAY_MS = 86_400_000;
/** Hours after Monday's midnight (UTC) from which a week's summaries are sent. */
const FROM_HOUR = 7;
/** Accounts that one transaction looks at. */
const AT_ONCE = 500;
const NOBODY = "00000000-0000-0000-0000-000000000000";

/**
 * Adds the summaries of the last whole week, one for each account that wants them and has something to
 * read. The first run of a registry sends none: it has counted no whole week. Any number of processes may
 * run it, and one that was killed may run it again, since each summary has the id of its account and week.
 * @param nowMs the summaries are due on Mondays from 07:00 UTC on. Those of a week that was missed
 *   altogether are never sent.
 * @returns `done`, or `waits` while the tables are behind the log.
 */
export async function summariseLastWeek(
  { pool, store }: { readonly pool: pg.Pool; readonly store: Pick<EventStore, "head"> },
  nowMs: number,
): Promise<"done" | "waits"> {
  const week = lastWeekOf(nowMs);
  const { rows } = await pool.query<{ started: boolean; done: boolean }>(
    `select exists (select from outbox.summary_week) as started,
       exists (select from outbox.summary_week where week >= $1) as done`,
    [week],
  );
  const [{ started, done } = { started: false, done: false }] = rows;
  if (done) return "done";
  if (started) {
    const head = await store.head();
    for (let after: string | undefined = NOBODY; after; ) {
      const next = await addSummaries(pool, week, after, head);
      if (next === "waits") return "waits";
      after = next;
    }
  }
  await pool.query("insert into outbox.summary_week values ($1) on conflict do nothing", [week]);
  return "done";
}

/** Monday (`YYYY-MM-DD`) of the last week whose summaries are due. */
export function lastWeekOf(nowMs: number): string {
  const due = new Date(nowMs - FROM_HOUR * 3_600_000);
  const daysSinceMonday = (due.getUTCDay() + 6) % 7;
  return new Date(due.getTime() - (daysSinceMonday + 7) * DAY_MS).toISOString().slice(0, 10);
}

/** @returns the last account it looked at; undefined after the last one of all. */
function addSummaries(
  pool: pg.Pool,
  week: string,
  after: string,
  head: string,
): Promise<string | undefined | "waits"> {
  return inTransaction(pool, async (client) => {
    const reached = await holdCaughtUp(client, head);
    if (!reached) return "waits";
    const { rows } = await client.query<{ id: string }>(
      `select id from accounts.account
       where id > $1 and status = 'active' and confirmed
         and (notifications ->> 'weekly_summary')::boolean
       order by id limit $2`,
      [after, AT_ONCE],
    );
    const ids = rows.map(({ id }) => id);
    await client.query(ADD_SUMMARIES, [ids, week, reached.position, reached.epoch]);
    return ids.length < AT_ONCE ? undefined : ids.at(-1);
  });
}

const ADD_SUMMARIES = `
  with span as (
    select $2::date::timestamp at time zone 'UTC' as first,
      ($2::date + 7)::timestamp at time zone 'UTC' as past
  ), own as materialized (
    select r.id, r.owner_id, r.status, r.decided_at, r.approved_at, r.reporter_blind, m.person_id
    from accounts.account acc
    join reports.report r on r.owner_id = acc.id and r.owned_since > acc.owns_after
    left join offenders.member m on m.report_id = r.id and r.status = 'approved'
    where acc.id = any($1::uuid[])
  ), looks as (
    select own.owner_id, sum(w.views)::int as views
    from own join views.report_week w on w.report_id = own.id and w.week = $2::date
    where own.status = 'approved' group by 1
  ), decisions as (
    select owner_id, (count(*) filter (where status = 'approved'))::int as approved,
      (count(*) filter (where status = 'rejected'))::int as rejected
    from own, span where decided_at >= first and decided_at < past group by 1
  ), others as (
    select own.owner_id, count(distinct further.id)::int as further
    from span, own
    join offenders.member m on m.person_id = own.person_id and m.report_id <> own.id
    join reports.report further on further.id = m.report_id and further.status = 'approved'
      and further.origin = 'live'
      and further.owner_id is distinct from own.owner_id
      and not exists (
        select from own same
        where same.owner_id = own.owner_id and same.reporter_blind = further.reporter_blind)
    where further.approved_at >= first and further.approved_at < past
      and own.approved_at <= further.approved_at
    group by 1
  ), said as (
    select owner_id, coalesce(views, 0) as views, coalesce(approved, 0) as approved,
      coalesce(rejected, 0) as rejected, coalesce(further, 0) as further
    from looks full join decisions using (owner_id) full join others using (owner_id)
  )
  insert into outbox.mail (id, kind, account_id, figures, event_id, revision, position, epoch)
  select 'mail-weekly_summary-' || $2 || '-' || owner_id, 'weekly_summary', owner_id,
    jsonb_build_object('week', $2::text, 'views', views, 'approved', approved,
      'rejected', rejected, 'further', further),
    gen_random_uuid(), 0, $3, $4
  from said where views + approved + rejected + further > 0
  on conflict do nothing`;
