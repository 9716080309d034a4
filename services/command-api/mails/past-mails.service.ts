import { randomUUID } from "node:crypto";
import { DomainError } from "#contracts/domain-error.ts";
import type { ReadMail } from "#contracts/http/admin-mails.ts";
import { mailKinds } from "#contracts/mail/mail-kinds.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import type { PastMail, PastMails } from "#mail-templates/writing/past-mails.ts";
import { mailAccess } from "../access/access.aggregate.ts";
import type { Dependencies } from "../dependencies.ts";
import { inquiryAggregate } from "../inquiry/inquiry-documents.ts";
import { type CommandEnvelope, newEnvelope } from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import { reportAggregate } from "../report/report.aggregate.ts";

type Found = Omit<PastMail, "at" | "sentAt"> & {
  readonly createdAt: Date;
  readonly sentTime: Date | null;
  readonly template: string | null;
  readonly own: string | null;
  readonly further: string | null;
  readonly isOfEarlierLog: boolean;
};
type FoundMail = PastMail & Pick<Found, "isOfEarlierLog"> & { readonly template?: string };

type Deps = Pick<Dependencies, "handler" | "pool" | "epoch" | "own" | "noticeModeration"> & {
  readonly mails: Pick<PastMails, "read">;
};

/** Shows staff the text of an email after recording who reads it. */
export class MailReader extends Service<Deps> {
  /**
   * Returns an email's text. Every call is logged, even under a repeated Idempotency-Key, because every call
   * shows the text. An email to staff contains the sender's own words, so the inquiry's or notice's history
   * records the access too.
   * @throws {DomainError} `not_found`; `forbidden` for an email about a report, or a notice about one, that
   *   concerns the caller.
   */
  async read(
    id: string,
    envelope: CommandEnvelope,
  ): Promise<{ readonly reading: ReadMail; readonly position: string }> {
    const { handler, own, noticeModeration, mails } = this.deps;
    const { caller } = envelope;
    const { isOfEarlierLog, template, ...mail } = await this.#find(id);
    const { kind, ownerId, reports } = mail;
    const { owner, isForInbox } = mailKinds[kind];
    if (owner === "notice") await noticeModeration.refuseOwn(ownerId, caller);
    for (const about of [
      owner === "report" ? ownerId : undefined,
      reports?.own,
      reports?.further,
    ]) {
      if (!about) continue;
      const report = (await handler.load(reportAggregate(about)))?.state;
      await own.refuse(about, report, caller);
    }
    if (isForInbox && !isOfEarlierLog && (owner === "inquiry" || owner === "notice")) {
      const of = inquiryAggregate({ id: ownerId, family: owner });
      await handler.execute(of, { type: "ViewInquiry" }, newEnvelope(caller));
    }
    const command = { type: "ReadMail", mailId: id, kind, owner, ownerId } as const;
    const { position } = await handler.execute(mailAccess(randomUUID()), command, envelope, {
      creates: true,
    });
    // Its log is gone: rendering it from the current log could show something that was never sent.
    if (isOfEarlierLog) return { reading: { gone: "superseded" }, position };
    const { template: used, ...reading } = { template: undefined, ...(await mails.read(mail)) };
    const isReworded = used !== undefined && template !== undefined && used !== template;
    return { reading: { ...reading, ...(isReworded ? { is_reworded: true } : {}) }, position };
  }

  async #find(id: string): Promise<FoundMail> {
    const { pool, epoch } = this.deps;
    const { rows } = await pool.query<Found>(
      `select id, kind, coalesce(report_id, account_id, inquiry_id) as "ownerId", revision,
         event_id as "eventId", created_at as "createdAt", sent_at as "sentTime", template, figures,
         template_kind as "templateKind", own_report_id as own, further_report_id as further, epoch <> $2 as "isOfEarlierLog"
       from outbox.mail where id = $1`,
      [id, epoch],
    );
    const [row] = rows;
    if (!row || !Object.hasOwn(mailKinds, row.kind))
      throw new DomainError("not_found", "This email no longer exists");
    const { createdAt, sentTime, own, further, template, figures, templateKind, ...found } = row;
    return {
      ...found,
      at: createdAt.toISOString(),
      ...omitUndefined({
        sentAt: sentTime?.toISOString(),
        template: template ?? undefined,
        figures: figures ?? undefined,
        templateKind: templateKind ?? undefined,
        reports: own && further ? { own, further } : undefined,
      }),
    };
  }
}
