import type pg from "pg";
import type { Logger } from "pino";
import { DECISION_MAIL_WAITS_MS } from "#contracts/report/reporter-rules.ts";
import type { EventStore, Position } from "#event-store/port.ts";
import type { ProcessorName } from "#read-model/tables/processor.ts";
import { inTransaction } from "#runtime/db/migrate.ts";
import { Periodic } from "#runtime/lifecycle/periodic.ts";
import { lockCheckpoint } from "../../daemon/checkpoint.ts";

/** Milliseconds between checks for recorded approvals. */
const INTERVAL_MS = 1_000;
/** Milliseconds between checks whether a week's summaries are due. */
const WEEK_MS = 60_000;

/** Adds the emails that no single event asks for, in each process of the projector. */
export function createNotices(deps: {
  readonly pool: pg.Pool;
  readonly store: Pick<EventStore, "head">;
  readonly log: Logger;
}): Periodic {
  let weekAskedAt = Number.NEGATIVE_INFINITY;
  return new Periodic(
    async () => {
      await notifyOfFurtherReports(deps.pool);
      if (performance.now() - weekAskedAt < WEEK_MS) return;
      if ((await addWeeklySummaries(deps, Date.now())) === "done") weekAskedAt = performance.now();
    },
    {
      everyMs: INTERVAL_MS,
      onError: (err, isFirst) =>
        isFirst &&
        deps.log.warn({ err }, "emails about other reports and weekly summaries are delayed"),
    },
  );
}

/** Approvals handled in one transaction. */
const AT_ONCE = 100;

/**
 * For each recorded approval, adds an email for every account that is the author of an earlier approved
 * report on the same person and wants these emails. An account is told about a report once, however often
 * that is approved. The account's own reports, and those from its address, do not count.
 *
 * An approval is handled once it can no longer be undone; if it was undone, no one is told.
 * Nothing happens until the tables have reached the approvals. An approval whose report is parked waits.
 * @returns how many approvals were handled.
 */
export async function notifyOfFurtherReports(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query("select from outbox.approval limit 1");
  if (!rowCount) return 0;
  return inTransaction(pool, async (client) => {
    const reached = await lockIfCaughtUp(client);
    if (!reached) return 0;
    const { rows } = await client.query<{ report_id: string }>(
      `select report_id from outbox.approval a
       where epoch = $1 and created_at <= now() - make_interval(secs => $3) and not exists (
         select from processor.parked_stream p
         where p.processor in ('reports', 'offenders') and p.stream = 'report-' || a.report_id)
       order by position limit $2 for update skip locked`,
      [reached.epoch, AT_ONCE, DECISION_MAIL_WAITS_MS / 1000],
    );
    const ids = rows.map(({ report_id }) => report_id);
    if (ids.length === 0) return 0;
    await client.query(ADD_MAILS, [ids]);
    await client.query("delete from outbox.approval where report_id = any($1::uuid[])", [ids]);
    return ids.length;
  });
}

const ADD_MAILS = `
  with found as (
    select distinct on (a.report_id, own.owner_id)
      a.*, own.owner_id as to_account, own.id as own_report, further.reporter_blind
    from outbox.approval a
    join reports.report further on further.id = a.report_id and further.status = 'approved'
    join offenders.member theirs on theirs.report_id = further.id
    join offenders.member mine
      on mine.person_id = theirs.person_id and mine.report_id <> theirs.report_id
    join reports.report own on own.id = mine.report_id and own.status = 'approved'
      and own.approved_at <= a.created_at
      and own.owner_id is distinct from further.owner_id
    join accounts.account acc on acc.id = own.owner_id and acc.owns_after < own.owned_since
      and acc.status = 'active' and acc.confirmed and (acc.notifications ->> 'same_person')::boolean
    where a.report_id = any($1::uuid[])
    order by a.report_id, own.owner_id, own.approved_at, own.id
  ), fresh as (
    insert into outbox.told (account_id, report_id)
    select to_account, report_id from found
    where not exists (
      select from reports.report r
      where r.owner_id = to_account and r.reporter_blind = found.reporter_blind)
    on conflict do nothing
    returning account_id, report_id
  )
  insert into outbox.mail (id, kind, account_id, own_report_id, further_report_id, event_id,
    revision, position, epoch, created_at)
  select 'mail-' || f.event_id || '-same_person-' || f.to_account, 'same_person', f.to_account,
    f.own_report, f.report_id, f.event_id, f.revision, f.position, f.epoch, f.created_at
  from found f join fresh on fresh.account_id = f.to_account and fresh.report_id = f.report_id
  on conflict do nothing`;

const DAY_MS = 86_400_000;
/** Hours after Monday's midnight (UTC) at which a week's summaries become due. */
const FROM_HOUR = 7;
/** Accounts handled in one transaction. */
const ACCOUNTS_AT_ONCE = 500;
const NIL_UUID = "00000000-0000-0000-0000-000000000000";

/**
 * Adds the summaries of the last whole week, one for each account that wants them and has something to
 * read. A registry's first run sends none, since it has counted no whole week. Any number of processes may
 * run it, and one that was killed may run it again, since a summary's id consists of its account and week.
 * @param nowMs the summaries are due on Mondays from 07:00 UTC on. Those of a week that was missed
 * entirely are never sent.
 * @returns `done`, or `waits` while the tables are behind the log.
 */
export async function addWeeklySummaries(
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
    for (let after: string | undefined = NIL_UUID; after; ) {
      const next = await addSummaries(pool, week, after, head);
      if (next === "waits") return "waits";
      after = next;
    }
  }
  await pool.query("insert into outbox.summary_week values ($1) on conflict do nothing", [week]);
  return "done";
}

/** Returns the Monday (`YYYY-MM-DD`) of the last week whose summaries are due. */
export function lastWeekOf(nowMs: number): string {
  const due = new Date(nowMs - FROM_HOUR * 3_600_000);
  const daysSinceMonday = (due.getUTCDay() + 6) % 7;
  return new Date(due.getTime() - (daysSinceMonday + 7) * DAY_MS).toISOString().slice(0, 10);
}

/** @returns the last account handled; undefined once all are. */
function addSummaries(
  pool: pg.Pool,
  week: string,
  after: string,
  head: string,
): Promise<string | undefined | "waits"> {
  return inTransaction(pool, async (client) => {
    const reached = await lockIfCaughtUp(client, head);
    if (!reached) return "waits";
    const { rows } = await client.query<{ id: string }>(
      `select id from accounts.account
       where id > $1 and status = 'active' and confirmed
         and (notifications ->> 'weekly_summary')::boolean
       order by id limit $2`,
      [after, ACCOUNTS_AT_ONCE],
    );
    const ids = rows.map(({ id }) => id);
    await client.query(ADD_SUMMARIES, [ids, week, reached.position, reached.epoch]);
    return ids.length < ACCOUNTS_AT_ONCE ? undefined : ids.at(-1);
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

/** The processors whose tables determine who gets a notice. */
const READ = ["reports", "offenders", "accounts"] as const satisfies readonly ProcessorName[];

/**
 * Holds the reaction's checkpoint until the transaction ends, and checks that the tables that notices are
 * made from have seen everything that it has. Otherwise a notice could be added after those of its report
 * or account were removed, and stay forever.
 * @param least a position that all must have reached.
 * @returns the reaction's position and epoch; undefined while a table is behind.
 */
async function lockIfCaughtUp(
  client: pg.ClientBase,
  least?: Position,
): Promise<{ readonly position: Position; readonly epoch: string } | undefined> {
  const position = await lockCheckpoint(client, "outbox");
  if (position === undefined || (least !== undefined && position < least)) return undefined;
  const { rows } = await client.query<{ epoch: string | null; reached: number }>(
    `select o.epoch, (
       select count(*)::int from processor.checkpoint r
       where r.processor = any($1) and r.epoch = o.epoch and r.position >= o.position
     ) as reached
     from processor.checkpoint o where o.processor = 'outbox'`,
    [READ],
  );
  const { epoch = null, reached } = rows[0] ?? {};
  return epoch !== null && reached === READ.length ? { position, epoch } : undefined;
}
