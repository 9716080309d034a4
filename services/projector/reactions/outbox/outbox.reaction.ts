import type pg from "pg";
import { streams } from "#contracts/events/index.ts";
import { LOG_STREAM } from "#event-store/store-log.ts";
import type { Projection } from "../../daemon/projection.ts";
import { areEmpty } from "../../keyed/read-model.ts";
import { deletedReport, reportOf } from "../../streams.ts";
import { type ApprovalRow, foldOutbox, type MailRow } from "./mail-rows.ts";

/**
 * Writes the mails that events ask for. It opens nothing, so that a missing key never costs a mail.
 * It is never rebuilt, because a sent mail cannot be recalled.
 */
export function outboxReaction(): Projection {
  return {
    async apply(client, { events, epoch }) {
      const ids = new Set(events.flatMap(({ stored }) => reportOf(stored.stream) ?? []));
      const known = await knownSamples(client, [...ids]);
      const changes = foldOutbox(known, events, epoch);
      const { mails, samples, hidden, deleted, erased } = changes;
      await addSamples(client, [...samples]);
      // Before what is asked for once the deletion is undone.
      await removeHidden(client, [...hidden]);
      await addMails(client, mails);
      await queueAgain(client, [...changes.resent], epoch);
      await addApprovals(client, changes.approvals);
      await removeMails(client, [...erased, ...deleted]);
      await removeSamples(client, [...deleted]);
      await forgetApprovals(client, [...deleted]);
      await removeAccountMails(client, [...changes.erasedAccounts]);
      await removeInquiryMails(client, [...changes.erasedInquiries]);
    },
    async erase(client, event) {
      const id = deletedReport(event);
      if (id && event.type === "ReportErased") await removeReports(client, [id]);
      else if (id) await removeHidden(client, [id]);
    },
    name: "outbox",
    filter: {
      streamPrefixes: [
        "report-",
        "user-",
        "session-",
        "inquiry-",
        "notice-",
        "template-",
        "mail-",
        "security-",
        streams.settings,
        LOG_STREAM,
      ],
    },
    opens: false,
    // A crash must not lose the state of a mail.
    repeatable: false,
    keysOf: () => [],
    isEmpty: (client) => areEmpty(client, ["outbox.mail", "outbox.sample_report"]),
    isOfEarlierVersion: async () => false,
    outdated: async () => undefined,
    schemas: [],
    rebuild: undefined,
  };
}

async function knownSamples(client: pg.ClientBase, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await client.query<{ report_id: string }>(
    "select report_id from outbox.sample_report where report_id = any($1::uuid[])",
    [ids],
  );
  return new Set(rows.map((row) => row.report_id));
}

/** Records reports of the sample loader. */
export async function addSamples(client: pg.ClientBase, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await client.query(
      "insert into outbox.sample_report select unnest($1::uuid[]) on conflict do nothing",
      [ids],
    );
}

async function addMails(client: pg.ClientBase, mails: readonly MailRow[]): Promise<void> {
  if (mails.length > 0)
    await client.query(
      `insert into outbox.mail
         (id, kind, report_id, account_id, inquiry_id, template_kind, event_id, revision, position, epoch,
          created_at, next_attempt_at)
       select id, kind, report_id, account_id, inquiry_id, template_kind, event_id, revision, position, epoch,
         created_at, next_attempt_at
       from json_populate_recordset(null::outbox.mail, $1::json)
       on conflict do nothing`,
      [JSON.stringify(mails)],
    );
}

/**
 * A mail that is no longer given up stays as it is, so that an event that comes again changes nothing. So does one
 * that the log before a restore asked for.
 */
async function queueAgain(
  client: pg.ClientBase,
  ids: readonly string[],
  epoch: string,
): Promise<void> {
  if (ids.length > 0)
    await client.query(
      `update outbox.mail set state = 'queued', attempts = 0, next_attempt_at = null,
         last_error = null, dropped_reason = null, dropped_at = null
       where id = any($1) and epoch = $2 and state = 'dropped' and dropped_reason = 'undeliverable'`,
      [ids, epoch],
    );
}

/** Of several approvals of a report the last one counts. */
async function addApprovals(client: pg.ClientBase, rows: readonly ApprovalRow[]): Promise<void> {
  if (rows.length > 0)
    await client.query(
      `insert into outbox.approval (report_id, event_id, revision, position, epoch, created_at)
       select report_id, event_id, revision, position, epoch, created_at
       from json_populate_recordset(null::outbox.approval, $1::json)
       on conflict (report_id) do update set event_id = excluded.event_id,
         revision = excluded.revision, position = excluded.position, epoch = excluded.epoch,
         created_at = excluded.created_at`,
      [JSON.stringify(rows)],
    );
}

/** What was told of the reports before stays known: their deletion may be undone. */
async function removeHidden(client: pg.ClientBase, ids: readonly string[]): Promise<void> {
  await removeMails(client, ids);
  await forgetApprovals(client, ids, ["approval"]);
}

async function forgetApprovals(
  client: pg.ClientBase,
  ids: readonly string[],
  tables: readonly ("approval" | "told")[] = ["approval", "told"],
): Promise<void> {
  if (ids.length === 0) return;
  for (const table of tables)
    await client.query(`delete from outbox.${table} where report_id = any($1::uuid[])`, [ids]);
}

export async function removeReports(client: pg.ClientBase, ids: readonly string[]): Promise<void> {
  await removeMails(client, ids);
  await removeSamples(client, ids);
  await forgetApprovals(client, ids);
}

async function removeMails(client: pg.ClientBase, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  for (const column of ["report_id", "own_report_id", "further_report_id"])
    await client.query(`delete from outbox.mail where ${column} = any($1::uuid[])`, [ids]);
}

async function removeInquiryMails(client: pg.ClientBase, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await client.query("delete from outbox.mail where inquiry_id = any($1::uuid[])", [ids]);
}

async function removeSamples(client: pg.ClientBase, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await client.query("delete from outbox.sample_report where report_id = any($1::uuid[])", [ids]);
}

/**
 * Removes the mails of accounts that are over. Those of the last day still count towards the caps of
 * their recipients: otherwise whoever registers an address again and again lifts them.
 */
export async function removeAccountMails(
  client: pg.ClientBase,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 0)
    await client.query(
      `with forgotten as (
         delete from outbox.told where account_id = any($1::uuid[])
       ), gone as (
         delete from outbox.mail where account_id = any($1::uuid[])
         returning recipient, kind, tried_at
       )
       insert into outbox.counted (recipient, kind, tried_at)
       select recipient, kind, tried_at from gone
       where recipient is not null and tried_at > clock_timestamp() - interval '1 day'`,
      [ids],
    );
}
