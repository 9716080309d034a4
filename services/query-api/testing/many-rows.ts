import { countFacets } from "./audit-entries.ts";
import type { Fixture } from "./query-api.fixture.ts";

/** Rows per list: more than are ever counted. */
const MANY = 12_000;
/** Values of the few oldest emails, names, and audit log entries. */
export const RARE_KIND = "approved";
export const RARE_NAME = "Zimmer";
export const RARE_COMMAND = "RejectReport";
/** When about half of the rows had been created. */
export const HALFWAY = new Date(Date.now() - (MANY / 2) * 60_000);

/** SQL for the minute of the n-th row; the last is now. */
const at = `now() - (${MANY} - n) * interval '1 minute'`;
/** `n` of the first row newer than this many hours. */
const younger = (hours: number) => MANY - hours * 60;

/**
 * Fills the console's lists with many rows. Most of the newest have the same values; other values are rare
 * and old, and some never occur together, so that a plan that scans all rows for them reads thousands.
 * @returns the account of the few oldest emails.
 */
export async function addManyRows({ db, addReport, addUser }: Fixture): Promise<string> {
  const account = await addUser({});
  const report = await addReport({});
  const copies = async (table: string, id: string, columns: string) => {
    await db.query(
      `insert into ${table} select row.* from ${table} one, generate_series(1, $2::int) n,
       lateral jsonb_populate_record(one, jsonb_build_object(${columns})) as row where one.id = $1`,
      [id, MANY],
    );
  };
  await copies(
    "reports.report",
    report,
    `'id', gen_random_uuid(), 'created_at', ${at}, 'updated_at', ${at},
     'last_name', case when n <= 20 then '${RARE_NAME}' else 'Smith' end,
     'status', case when n <= 30 then 'under_review' when n <= 60 then 'rejected' when n <= 90 then 'pending'
       else 'approved' end,
     'report_type', case when n <= 100 then 'bad_check' else 'chargeback' end,
     'chargeback_reason', case when n <= 40 then 'general' else 'fraudulent' end,
     'verified', n > 50, 'asked_until', case when n <= 30 then now() + interval '1 day' end,
     'answered_at', case when n between 31 and 60 then now() end,
     'resolution', jsonb_build_object('stage', case when n <= 30 then 'requested' when n <= 60 then 'letter_accepted'
       when n <= 90 then 'letter_refused' when n <= 120 then 'withdrawn' when n <= 150 then 'refunded'
       else 'resolved' end),
     'resolution_at', ${at},
     'files', jsonb_build_array(jsonb_build_object('file_id', n, 'added_at', to_json(${at}),
       'kind', case when n > 9000 then 'letter' else 'evidence' end)),
     'copies', case when n > 90 and n <= 9000 then jsonb_build_array(jsonb_build_object('file_id', n))
       else '[]' end`,
  );
  await copies(
    "users.user",
    account,
    `'id', gen_random_uuid(), 'created_at', ${at},
     'last_name', case when n <= 20 then '${RARE_NAME}' else 'Smith' end,
     'role', case when n <= 10 then 'admin' when n <= 20 then 'auditor' else 'user' end,
     'status', case when n between 15 and 60 then 'banned' when n between 61 and 100 then 'pending'
       when n between 101 and 130 then 'deactivated' else 'active' end`,
  );
  await db.query(
    `insert into users.figure_standing select status, role, count(*) from users.user group by 1, 2
     on conflict (status, role) do update set accounts = excluded.accounts`,
  );
  await db.query(
    `insert into outbox.mail (id, kind, account_id, report_id, event_id, revision, position, epoch, created_at, state,
       sent_at, dropped_reason)
     select 'mail-' || n, case when n <= 50 then $2 else 'rejected' end, case when n <= 10 then $3::uuid end,
       case when n > 10 then gen_random_uuid() end, gen_random_uuid(), 0, n::text, 'e', ${at}, state,
       case when state = 'sent' then now() end,
       case when state = 'dropped' then case when n <= 80 then 'undeliverable' else 'unwanted' end end
     from generate_series(1, $1::int) n, lateral (select case when n between 51 and 110 then 'dropped'
       when n between 111 and 140 then 'queued' else 'sent' end as state) s`,
    [MANY, RARE_KIND, account],
  );
  await db.query(
    `insert into inquiries.inquiry (id, kind, status, status_revision, email, has_document, message_chars, notes,
       received_at, waiting_since, answered_at)
     select gen_random_uuid(), case when n <= 100 then 'law_enforcement' else 'enterprise' end, status, 0, '', false, 20, 0,
       ${at}, ${at}, case when status not in ('new', 'in_work') then now() end
     from generate_series(1, $1::int) n, lateral (select case when n between 101 and 130 or n > ${younger(24)} then 'new'
       when n between 131 and 160 then 'in_work' when n between 161 and 190 then 'answered' else 'closed' end
       as status) s`,
    [MANY],
  );
  await db.query(
    `insert into inquiries.notice (id, kind, status, revision, email, erased, notes, received_at, due_at, decided_at,
       targets)
     select gen_random_uuid(), case when n <= 100 then 'counter_notice' else 'takedown' end, status, 0, '', false, 0, ${at},
       ${at} + interval '48 hours', case when status not in ('new', 'in_work', 'passed_on') then now() end, '[]'
     from generate_series(1, $1::int) n, lateral (select case when n between 101 and 130 or n > ${younger(48)} then 'new'
       when n between 131 and 160 then 'in_work' when n between 161 and 190 then 'taken_down'
       when n between 191 and 220 then 'countered' when n between 221 and 250 then 'lifted'
       when n between 251 and 280 then 'restored' when n <= 20 then 'passed_on' else 'refused' end as status) s`,
    [MANY],
  );
  await db.query(
    `insert into audit.entry
     select lpad(n::text, 20, '0'), gen_random_uuid(), ${at}, 'visitor', 'visitor',
       case when n <= 50 then $2 else 'SubmitReport' end, case when n <= 50 then 'ReportRejected' else 'ReportSubmitted' end,
       'report-' || gen_random_uuid(), 0, 1, case when n between 51 and 80 then 'failure' when n between 81 and 110 then 'warning'
       else 'success' end, 'live', gen_random_uuid(), null, null
     from generate_series(1, $1::int) n`,
    [MANY, RARE_COMMAND],
  );
  await countFacets(db);
  await db.query("vacuum analyze");
  return account;
}
