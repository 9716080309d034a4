import { sql } from "kysely";
import type { MailState, MailsQuery } from "#contracts/http/admin-mails.ts";
import { KEYSET_PAGE, rowOfAfter } from "#contracts/http/keyset.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { MAIL_ASKED_AT } from "#read-model/tables/outbox.ts";

/** SQL of a mail's state as staff see it, over a row named `mail`. */
const IN_STATE: Readonly<Record<MailState, string>> = {
  waiting: "mail.state = 'queued'",
  sent: "mail.state = 'sent'",
  failed: "mail.state = 'dropped' and mail.dropped_reason = 'undeliverable'",
  dropped: "mail.state = 'dropped' and mail.dropped_reason <> 'undeliverable'",
};

const askedAt = sql`${sql.raw(MAIL_ASKED_AT.replace("created_at", "mail.created_at"))}`;

/**
 * The mails that were asked for last, with the mask of whom each goes to; one more than a page shows. The outbox
 * knows ids only: the masks are those of the rows of reports, accounts, inquiries and notices.
 */
export function findMails(db: ReadModelDatabase, { state, kind, account, after }: MailsQuery) {
  let query = db
    .selectFrom("outbox.mail as mail")
    .leftJoin("reports.report as report", "report.id", "mail.report_id")
    .leftJoin("users.user as user", "user.id", "mail.account_id")
    .leftJoin("inquiries.inquiry as inquiry", "inquiry.id", "mail.inquiry_id")
    // The outbox keeps the ids of inquiries and notices in one column.
    .leftJoin("inquiries.notice as notice", "notice.id", "mail.inquiry_id")
    .select([
      "mail.id",
      "mail.kind",
      "mail.report_id",
      "mail.account_id",
      "mail.inquiry_id",
      "mail.state",
      "mail.attempts",
      "mail.next_attempt_at",
      "mail.sent_at",
      "mail.dropped_at",
      "mail.dropped_reason",
      "mail.last_error",
      "mail.desk",
      "mail.template",
      "report.reporter_email_mask as reporter_email",
      "user.email as user_email",
      "inquiry.email as inquiry_email",
      "notice.email as notice_email",
      sql<Date>`${askedAt} at time zone 'UTC'`.as("asked_at"),
    ]);
  if (state) query = query.where(sql<boolean>`(${sql.raw(IN_STATE[state])})`);
  if (kind) query = query.where("mail.kind", "=", kind);
  if (account) query = query.where("mail.account_id", "=", account);
  if (after) {
    const { at, id } = rowOfAfter(after);
    query = query.where(sql<boolean>`(${askedAt}, mail.id) < (${at}::timestamp, ${id})`);
  }
  return query
    .orderBy(askedAt, "desc")
    .orderBy("mail.id", "desc")
    .limit(KEYSET_PAGE + 1)
    .execute();
}
