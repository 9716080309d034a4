import type pg from "pg";
import type { Logger } from "pino";
import { DECISION_MAIL_WAITS_MS } from "#contracts/report/reporter-rules.ts";
import type { EventStore } from "#event-store/port.ts";
import { inTransaction } from "#runtime/db/migrate.ts";
import { Periodic } from "#runtime/lifecycle/periodic.ts";
import { holdCaughtUp } from "./caught-up.ts";
import { summariseLastWeek } from "./weekly-summaries.ts";

/** How often noted approvals are looked for. */
const INTERVAL_MS = 1_000;
/** How often it is asked whether a week's summaries are due. */
const WEEK_MS = 60_000;

/** Adds the mails that no event asks for by itself, in each process of the projector. */
export function createNotices(deps: {
  readonly pool: pg.Pool;
  readonly store: Pick<EventStore, "head">;
  readonly log: Logger;
}): Periodic {
  let weekAskedAt = Number.NEGATIVE_INFINITY;
  return new Periodic(
    async () => {
      await tellOfFurtherReports(deps.pool);
      if (performance.now() - weekAskedAt < WEEK_MS) return;
      if ((await summariseLastWeek(deps, Date.now())) === "done") weekAskedAt = performance.now();
    },
    {
      everyMs: INTERVAL_MS,
      onError: (err, isFirst) =>
        isFirst && deps.log.warn({ err }, "mails about further reports or weeks wait"),
    },
  );
}

/** Approvals that one transaction looks at. */
const AT_ONCE = 100;

/**
 * For each noted approval, adds a mail for every account that is the author of an approved report on the
 * same person, was approved before, and wants to be told. An account is told of a report once, however often
 * that is approved. The account's own reports, and those from its address, are none by somebody else.
 *
 * An approval is looked at once it cannot be undone any more; of one that was undone nobody is told.
 * It does nothing until the tables have reached the approvals. An approval whose report is parked waits.
 * @returns how many approvals it is done with.
 */
export async function tellOfFurtherReports(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query("select from outbox.approval limit 1");
  if (!rowCount) return 0;
  return inTransaction(pool, async (client) => {
    const reached = await holdCaughtUp(client);
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
