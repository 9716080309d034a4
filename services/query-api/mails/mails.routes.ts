import {
  ADMIN_MAILS,
  ListedMail,
  type MailState,
  MailsQuery,
  MailsReply,
} from "#contracts/http/admin-mails.ts";
import type { KindOfMail } from "#contracts/mail/kind-of-mail.ts";
import { mailKinds } from "#contracts/mail/mail-kinds.ts";
import { shown, succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { ownAddress } from "#search/identity.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { findMails, type MailRow } from "./mails.queries.ts";

/** Emails and their recipients, masked. */
export function mailRoutes(app: ServiceInstance, { db, freshness, blind }: ReadSide): void {
  const read = reads(
    ["admin"],
    "mails",
    freshness.waitFor(["outbox", "reports", "users", "inquiries"], "any"),
  );
  app.get(
    ADMIN_MAILS,
    read({
      summary: "Waiting, sent and failed emails, newest first",
      querystring: MailsQuery,
      reply: MailsReply,
    }),
    async ({ query: { address, ...query } }) => {
      const indexed = address && blind("reporter_email", ownAddress(address));
      const { rows, ...next } = await findMails(db, query, indexed);
      return succeed({ mails: rows.map(presentMail), ...next });
    },
  );
}

function presentMail(row: MailRow): ListedMail {
  const kinds: Readonly<Record<string, KindOfMail>> = mailKinds;
  const kind = kinds[row.kind];
  const isForInbox = kind?.isForInbox ?? false;
  const mask = row.reporter_email ?? row.user_email ?? row.inquiry_email ?? row.notice_email;
  return shown(ListedMail, {
    ...row,
    state: stateOf(row),
    owner: {
      type: kind?.owner ?? (row.report_id ? "report" : row.account_id ? "account" : "inquiry"),
      id: row.report_id ?? row.account_id ?? row.inquiry_id ?? "",
    },
    created_at: row.at,
    // An email to the registry's own inbox doesn't go to the owner's address.
    recipient: isForInbox ? `Inbox${row.inbox ? `: ${row.inbox}` : ""}` : mask || undefined,
    reason: row.dropped_reason,
    error: row.last_error,
    ended_at: row.sent_at ?? row.dropped_at,
  });
}

function stateOf({ state, dropped_reason }: MailRow): MailState {
  if (state === "queued") return "waiting";
  if (state === "sent") return "sent";
  return dropped_reason === "undeliverable" ? "failed" : "dropped";
}
