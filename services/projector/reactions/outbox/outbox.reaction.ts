import type pg from "pg";
import { streams } from "#contracts/events/index.ts";
import { INQUIRY_ENDS, inquiryOf } from "#contracts/events/inquiry/inquiry-fold.ts";
import { kindOfTemplates } from "#contracts/events/template.ts";
import { ACCOUNT_ENDS } from "#contracts/events/user/account-state.ts";
import {
  isNews,
  type MailKind,
  mailKinds,
  mailsTriggeredBy,
  type TriggeredMail,
} from "#contracts/mail/mail-kinds.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { LOG_STREAM } from "#event-store/store-log.ts";
import type { OpenedEvent, Projection } from "../../daemon/projection.ts";
import { areEmpty } from "../../keyed/read-model.ts";
import { accountOf, deletedReport, reportOf } from "../../streams.ts";

/** Writes the emails that events ask for, without opening anything. Never rebuilt: sent emails stay sent. */
export function outboxReaction(): Projection {
  return {
    async apply(client, { events, epoch }) {
      const ids = new Set(events.flatMap(({ stored }) => reportOf(stored.stream) ?? []));
      const known = await knownSamples(client, [...ids]);
      const changes = foldOutbox(known, events, epoch);
      const { mails, samples, hidden, deleted, erased } = changes;
      await addSamples(client, [...samples]);
      // Before adding what was asked for after the deletion was undone.
      await removeHidden(client, [...hidden]);
      await addMails(client, mails);
      await queueAgain(client, [...changes.resent], epoch);
      await addApprovals(client, changes.approvals);
      await remove(client, [...erased, ...deleted], MAILS);
      await remove(client, [...deleted], REPORT_RECORDS);
      await removeAccountMails(client, [...changes.erasedAccounts]);
      await remove(client, [...changes.erasedInquiries], [["mail", "inquiry_id"]]);
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
    // A crash must not lose the state of an email.
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

/** Records reports from the sample loader. */
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

/** Leaves an email as it is if it is no longer given up, or was asked for before a restore. */
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

/** Of several approvals of a report, the last one counts. */
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

type Place = readonly [table: string, column: string];

const MAILS: readonly Place[] = [
  ["mail", "report_id"],
  ["mail", "own_report_id"],
  ["mail", "further_report_id"],
];
const APPROVAL: Place = ["approval", "report_id"];
const REPORT_RECORDS: readonly Place[] = [
  ["sample_report", "report_id"],
  APPROVAL,
  ["told", "report_id"],
];

/** Deletes rows with one of the ids. */
async function remove(client: pg.ClientBase, ids: readonly string[], places: readonly Place[]) {
  if (ids.length === 0) return;
  for (const [table, column] of places)
    await client.query(`delete from outbox.${table} where ${column} = any($1::uuid[])`, [ids]);
}

/** Keeps the record of who was told about the reports, since their deletion may be undone. */
async function removeHidden(client: pg.ClientBase, ids: readonly string[]): Promise<void> {
  await remove(client, ids, [...MAILS, APPROVAL]);
}

export async function removeReports(client: pg.ClientBase, ids: readonly string[]): Promise<void> {
  await remove(client, ids, [...MAILS, ...REPORT_RECORDS]);
}

/** Removes all emails of ended accounts; those of the last day still count toward caps. */
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

/** A new row of `outbox.mail` as JSON. */
interface MailRow {
  readonly id: string;
  readonly kind: MailKind;
  readonly report_id: string | null;
  readonly account_id: string | null;
  /** Set for an email about an inquiry or a notice. */
  readonly inquiry_id: string | null;
  /** Set for an email about a kind's templates. */
  readonly template_kind?: string;
  readonly event_id: string;
  readonly revision: number;
  readonly position: string;
  readonly epoch: string;
  readonly created_at: string;
  /** Set for an email that is delayed after its event. */
  readonly next_attempt_at?: string;
}

/** A new row of `outbox.approval` as JSON. */
type ApprovalRow = Omit<
  MailRow,
  "id" | "kind" | "account_id" | "inquiry_id" | "template_kind" | "next_attempt_at"
>;

/** How a batch of the log changes the outbox. */
interface OutboxChanges {
  readonly mails: readonly MailRow[];
  /** Approved reports, about which authors of other reports may have to be told. */
  readonly approvals: readonly ApprovalRow[];
  /** Reports that the sample loader submitted. No email is sent for them, whoever moderates them. */
  readonly samples: ReadonlySet<string>;
  /** Hidden reports, whose emails and pending approvals are removed. */
  readonly hidden: ReadonlySet<string>;
  /** Erased reports, which are no longer recorded as samples. */
  readonly deleted: ReadonlySet<string>;
  /** Reports whose reporter was erased. Their emails are removed. */
  readonly erased: ReadonlySet<string>;
  /** Erased accounts, whose emails are removed. */
  readonly erasedAccounts: ReadonlySet<string>;
  /** Erased inquiries and notices, whose emails are removed. */
  readonly erasedInquiries: ReadonlySet<string>;
  /** Emails in the outbox to be resent. */
  readonly resent: ReadonlySet<string>;
}

/** Id of an email and its job, so it has no ":". @param asked undefined for the first, to whom the event is about. */
function mailId(eventId: string, asked?: TriggeredMail): string {
  const { kind, account } = asked ?? {};
  return ["mail", eventId, kind, account].filter((part) => part !== undefined).join("-");
}

/** Folds a batch of the log into emails. @param samples reports known as samples before the batch. */
export function foldOutbox(
  samples: ReadonlySet<string>,
  events: readonly OpenedEvent[],
  epoch: string,
): OutboxChanges {
  const mails = new Map<string, MailRow>();
  const approvals = new Map<string, ApprovalRow>();
  const found = new Set<string>();
  const hidden = new Set<string>();
  const deleted = new Set<string>();
  const erased = new Set<string>();
  const erasedAccounts = new Set<string>();
  const erasedInquiries = new Set<string>();
  const resent = new Set<string>();
  const endedBy: { readonly [type: string]: Set<string> } = {
    ReportDeleted: hidden,
    ReportErased: deleted,
    ReporterErased: erased,
  };
  for (const opened of events) {
    const { stored, event } = opened;
    if (event.type === "MailResent") resent.add(event.data.mail_id);
    const account_id = accountOf(stored.stream);
    if (account_id && ACCOUNT_ENDS.includes(event.type)) {
      erasedAccounts.add(account_id);
      for (const [id, mail] of mails) if (mail.account_id === account_id) mails.delete(id);
    }
    const inquiry_id = inquiryOf(stored.stream);
    if (inquiry_id && INQUIRY_ENDS.includes(event.type)) {
      erasedInquiries.add(inquiry_id);
      for (const [id, mail] of mails) if (mail.inquiry_id === inquiry_id) mails.delete(id);
    }
    const { origin, actor } = stored.metadata;
    const by = actor.id === accountAbout(opened) ? "owner" : "other";
    const asked = origin === "sample" ? [] : mailsTriggeredBy(event, by);
    for (const mail of rowsOf(opened, asked, epoch)) if (!mail.report_id) mails.set(mail.id, mail);
    const report_id = reportOf(stored.stream);
    if (!report_id) continue;
    const ended = endedBy[event.type];
    if (ended) {
      ended.add(report_id);
      if (ended === deleted) found.delete(report_id);
      if (ended !== erased) approvals.delete(report_id);
      for (const [id, mail] of mails) if (mail.report_id === report_id) mails.delete(id);
      continue;
    }
    if (event.type === "ReportSubmitted" && origin === "sample") found.add(report_id);
    if (samples.has(report_id) || found.has(report_id)) continue;
    for (const mail of rowsOf(opened, asked, epoch)) if (mail.report_id) mails.set(mail.id, mail);
    if (event.type === "ReportApproved" && event.data.from !== "approved" && isNews(event.data))
      approvals.set(report_id, approvalRow(opened, report_id, epoch));
  }
  return {
    mails: [...mails.values()],
    approvals: [...approvals.values()],
    samples: found,
    hidden,
    deleted,
    erased,
    erasedAccounts,
    erasedInquiries,
    resent,
  };
}

/** Returns the account that an event in its stream or in one of its sessions is about. */
function accountAbout({ stored, event }: OpenedEvent): string {
  return accountOf(stored.stream) ?? (event.type === "SessionStarted" ? event.data.account_id : "");
}

function approvalRow({ stored }: OpenedEvent, report_id: string, epoch: string): ApprovalRow {
  return {
    report_id,
    event_id: stored.id,
    revision: stored.revision,
    position: stored.position,
    epoch,
    created_at: stored.metadata.time,
  };
}

function rowsOf(opened: OpenedEvent, mails: readonly TriggeredMail[], epoch: string): MailRow[] {
  const { stored } = opened;
  const first = mails.find(({ account }) => !account);
  return mails.map((asked) => {
    const { kind, account } = asked;
    const { owner, delayMs } = mailKinds[kind];
    const { time } = stored.metadata;
    return {
      id: mailId(stored.id, asked === first ? undefined : asked),
      kind,
      report_id: owner === "report" ? (reportOf(stored.stream) ?? null) : null,
      account_id: owner === "account" ? (account ?? accountAbout(opened)) : null,
      inquiry_id: inquiryOf(stored.stream) ?? null,
      ...omitUndefined({ template_kind: kindOfTemplates(stored.stream) }),
      event_id: stored.id,
      revision: stored.revision,
      position: stored.position,
      epoch,
      created_at: time,
      ...(delayMs === undefined
        ? {}
        : { next_attempt_at: new Date(Date.parse(time) + delayMs).toISOString() }),
    };
  });
}
