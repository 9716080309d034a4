import { type RawBuilder, sql } from "kysely";
import { MAIL_STATES, type MailsQuery } from "#contracts/http/admin-mails.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import {
  MAIL_ASKED_AT,
  MAIL_OWNER,
  MAIL_STATE,
  type ReadableMail,
} from "#read-model/tables/outbox.ts";
import { type IndexFilter, newestPage, readThroughIndexes } from "../keyset-lists.ts";

/** An email with the masked addresses of its possible recipients. */
export interface MailRow extends Omit<ReadableMail, "created_at"> {
  readonly at: Date;
  readonly reporter_email: string | null;
  readonly user_email: string | null;
  readonly inquiry_email: string | null;
  readonly notice_email: string | null;
}

/** Returns the most recently requested emails, with masks from the rows that their IDs reference. */
export async function findMails(
  db: ReadModelDatabase,
  { state, kind, account, after }: Omit<MailsQuery, "address">,
  addressBlind?: string,
) {
  const owners = addressBlind === undefined ? undefined : await ownersOf(db, addressBlind);
  const states = state ? [state] : Object.keys(MAIL_STATES);
  let query = db
    .selectFrom("outbox.mail")
    .select([
      "id",
      "kind",
      "report_id",
      "account_id",
      "inquiry_id",
      "state",
      "attempts",
      "next_attempt_at",
      "sent_at",
      "dropped_at",
      "dropped_reason",
      "last_error",
      "inbox",
      "template",
    ]);
  const of = account ? (owners ?? [account]).filter((id) => id === account) : owners;
  // An owner has few emails, so the other filters are applied to all of them.
  if (of && state) query = query.where(sql.raw<string>(MAIL_STATE), "=", state);
  if (of && kind) query = query.where("kind", "=", kind);
  const wanted: readonly IndexFilter[] = of
    ? [[MAIL_OWNER, of]]
    : [...(kind ? [["kind", [kind]] as const] : []), [MAIL_STATE, states]];
  // The database stores IDs of inquiries and notices in one column.
  const withMasks = (page: RawBuilder<unknown>) => sql<MailRow>`
    select mail.*, report.reporter_email_mask as reporter_email, "user".email as user_email,
      inquiry.email as inquiry_email, notice.email as notice_email
    from (${page}) as mail
    left join reports.report as report on report.id = mail.report_id
    left join users."user" as "user" on "user".id = mail.account_id
    left join inquiries.inquiry as inquiry on inquiry.id = mail.inquiry_id
    left join inquiries.notice as notice on notice.id = mail.inquiry_id
    order by mail.listed_at desc, mail.id desc`;
  const order = { time: MAIL_ASKED_AT, timeType: "timestamp", idType: "text" } as const;
  return newestPage(db, query, { list: "mails", order, wanted, after }, withMasks);
}

/** Maximum number of an address's reports whose emails are looked up, newest first. */
const REPORTS_OF_ADDRESS = 50;

/** The owners of emails to an address: its account, and the newest reports sent from it. */
function ownersOf(db: ReadModelDatabase, addressBlind: string): Promise<readonly string[]> {
  return readThroughIndexes(db, "ordered", async (reads) => {
    const accounts = await reads.db
      .selectFrom("users.user")
      .select("id")
      .where("email_blind", "=", addressBlind)
      .execute();
    const reports = await reads.db
      .selectFrom("reports.report")
      .select("id")
      .where("reporter_blind", "=", addressBlind)
      .orderBy("created_at", "desc")
      .limit(REPORTS_OF_ADDRESS)
      .execute();
    return [...accounts, ...reports].map(({ id }) => id);
  });
}
