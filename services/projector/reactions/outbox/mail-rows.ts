import { INQUIRY_ENDS, inquiryOf } from "#contracts/events/inquiry/inquiry-fold.ts";
import { kindOfTemplates } from "#contracts/events/template.ts";
import { ACCOUNT_ENDS } from "#contracts/events/user/account-state.ts";
import { given } from "#contracts/given.ts";
import {
  type AskedMail,
  type MailKind,
  mailKinds,
  mailsAskedBy,
} from "#contracts/mail/mail-kinds.ts";
import type { OpenedEvent } from "../../daemon/projection.ts";
import { accountOf, reportOf } from "../../streams.ts";

/** A new row of `outbox.mail` as JSON. */
export interface MailRow {
  readonly id: string;
  readonly kind: MailKind;
  readonly report_id: string | null;
  readonly account_id: string | null;
  /** Of an inquiry or a notice. */
  readonly inquiry_id: string | null;
  /** Of a mail that an event of a kind's templates asks for. */
  readonly template_kind?: string;
  readonly event_id: string;
  readonly revision: number;
  readonly position: string;
  readonly epoch: string;
  readonly created_at: string;
  /** Of a mail that waits after its event. */
  readonly next_attempt_at?: string;
}

/** A new row of `outbox.approval` as JSON. */
export type ApprovalRow = Omit<
  MailRow,
  "id" | "kind" | "account_id" | "inquiry_id" | "template_kind" | "next_attempt_at"
>;

/** How a batch of the log changes the outbox. */
export interface OutboxChanges {
  readonly mails: readonly MailRow[];
  /** Reports that were approved, whose other authors may have to be told. */
  readonly approvals: readonly ApprovalRow[];
  /** Reports that the sample loader submitted. No mail is sent for them, whoever moderates them. */
  readonly samples: ReadonlySet<string>;
  /** Hidden reports, whose mails are removed, and what waits to be told of them. */
  readonly hidden: ReadonlySet<string>;
  /** Erased reports, which are no known samples from then on. */
  readonly deleted: ReadonlySet<string>;
  /** Reports whose reporter was erased. Their mails are removed. */
  readonly erased: ReadonlySet<string>;
  /** Erased accounts, whose mails are removed. */
  readonly erasedAccounts: ReadonlySet<string>;
  /** Erased inquiries and notices, whose mails are removed. */
  readonly erasedInquiries: ReadonlySet<string>;
  /** Mails of the outbox that are to be sent again. */
  readonly resent: ReadonlySet<string>;
}

/**
 * Id of a mail that an event asks for. It is also the id of a job, so it contains no ":".
 * @param asked undefined for the first mail that goes to whom the event is about.
 */
export function mailId(eventId: string, asked?: AskedMail): string {
  const { kind, account } = asked ?? {};
  return ["mail", eventId, kind, account].filter((part) => part !== undefined).join("-");
}

/**
 * Folds a batch of the log into mails.
 * @param samples reports that are known as samples before the batch.
 */
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
    const asked = origin === "sample" ? [] : mailsAskedBy(event, by);
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
    if (event.type === "ReportApproved" && event.data.from !== "approved")
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

/** The account that an event of its own or of one of its sessions is about. */
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

function rowsOf(opened: OpenedEvent, mails: readonly AskedMail[], epoch: string): MailRow[] {
  const { stored } = opened;
  const first = mails.find(({ account }) => !account);
  return mails.map((asked) => {
    const { kind, account } = asked;
    const { owner, waitsMs } = mailKinds[kind];
    const { time } = stored.metadata;
    return {
      id: mailId(stored.id, asked === first ? undefined : asked),
      kind,
      report_id: owner === "report" ? (reportOf(stored.stream) ?? null) : null,
      account_id: owner === "account" ? (account ?? accountAbout(opened)) : null,
      inquiry_id: inquiryOf(stored.stream) ?? null,
      ...given({ template_kind: kindOfTemplates(stored.stream) }),
      event_id: stored.id,
      revision: stored.revision,
      position: stored.position,
      epoch,
      created_at: time,
      ...(waitsMs === undefined
        ? {}
        : { next_attempt_at: new Date(Date.parse(time) + waitsMs).toISOString() }),
    };
  });
}
