import type { Pool } from "pg";
import type { Logger } from "pino";
import {
  INBOX_MAIL_KINDS,
  INBOX_MAILS_PER_HOUR,
  type Inbox,
  type MailKind,
} from "#contracts/mail/mail-kinds.ts";
import type { CheckResult, ReadinessCheck } from "#http/health.ts";
import type { DigestMails } from "#mail-templates/writing/mail-writer.ts";
import { lockUntilCommit } from "#runtime/db/lock.ts";
import { inTransaction } from "#runtime/db/migrate.ts";
import type { LeasedMail } from "./leases.ts";
import type { OutboxStore } from "./outbox.store.ts";

/** `held`: waits for its inbox's digest. `lost`: this worker no longer holds it. */
export type InboxAdmission = "admitted" | "held" | "lost";

/** Counts of emails to the inboxes that need attention. */
export interface InboxCounts {
  readonly held: number;
  /** Refused by the mail server, or unsent after several attempts. They are tried again. */
  readonly failing: number;
  /** Given up within {@link DROPPED_HOURS}. */
  readonly dropped: number;
}

/** How many emails one digest covers at most; the rest go into the next one. */
const DIGEST_MAILS = 1_000;
/** How many numbers a digest lists. */
const DIGEST_NAMES = 100;
/** How long an email that was given up counts as an alarm. */
const DROPPED_HOURS = 24;
/** An attempt may fail now and then. An email counts as failing after this many attempts or minutes. */
const FAILING_ATTEMPTS = 3;
const FAILING_MINUTES = 10;

/**
 * Admits an email to an inbox, or holds it for the digest if the inbox has had its hourly limit of this kind.
 * Each inbox gets one digest an hour per kind. Across all processes, emails of one kind to the same inbox are
 * admitted one after another.
 */
export async function admitToInbox(
  pool: Pool,
  mail: LeasedMail,
  inbox: Inbox,
  epoch: string,
): Promise<InboxAdmission> {
  return inTransaction(pool, async (client) => {
    await lockUntilCommit(client, `inbox:${inbox}:${mail.kind}`);
    if (!mail.heldFor) {
      const { rows } = await client.query<{ of_hour: number; digest_at: Date | null }>(
        `select count(*) filter (where tried_at > clock_timestamp() - interval '1 hour')::int as of_hour,
           min(next_attempt_at) filter (where state = 'queued' and held_at is not null and epoch = $4)
             as digest_at
         from outbox.mail where kind = $1 and inbox = $2 and id <> $3
           and (tried_at > clock_timestamp() - interval '1 hour' or held_at is not null)`,
        [mail.kind, inbox, mail.id, epoch],
      );
      const { of_hour = 0, digest_at = null } = rows[0] ?? {};
      if (digest_at || of_hour >= INBOX_MAILS_PER_HOUR) {
        // A digest that is due may list its emails at any moment, so this one goes into the next.
        const { rowCount } = await client.query(
          `update outbox.mail set held_at = now(), inbox = $3, lease = null, leased_until = null,
             attempts = greatest(attempts - 1, 0),
             next_attempt_at = case when $4::timestamptz > clock_timestamp() then $4
               else clock_timestamp() + interval '1 hour' end
           where id = $1 and lease = $2`,
          [mail.id, mail.lease, inbox, digest_at],
        );
        return rowCount ? "held" : "lost";
      }
    }
    const { rowCount } = await client.query(
      "update outbox.mail set tried_at = clock_timestamp(), inbox = $3 where id = $1 and lease = $2",
      [mail.id, mail.lease, inbox],
    );
    return rowCount ? "admitted" : "lost";
  });
}

/** Returns the held emails that this digest covers. */
export async function readDigest(
  pool: Pool,
  mail: LeasedMail,
  epoch: string,
): Promise<DigestMails> {
  const { rows } = await pool.query<{ id: string; owner_id: string }>(
    `select id, coalesce(report_id, inquiry_id) as owner_id from outbox.mail
     where kind = $1 and inbox = $2 and epoch = $3 and state = 'queued' and held_at is not null
       and (lease is null or id = $4)
     order by id <> $4, position, id limit ${DIGEST_MAILS}`,
    [mail.kind, mail.heldFor, epoch, mail.id],
  );
  return {
    ids: rows.map(({ id }) => id),
    owners: rows.slice(0, DIGEST_NAMES).map(({ owner_id }) => owner_id),
  };
}

/** Counts the emails to the inboxes that need attention. */
export async function countInboxMails(pool: Pool, epoch: string): Promise<InboxCounts> {
  const { rows } = await pool.query<InboxCounts>(
    `select count(*) filter (where held_at is not null)::int as held,
       count(*) filter (where last_error = 'MailRefused' or (last_error is not null and
         (attempts >= ${FAILING_ATTEMPTS}
           or created_at < now() - make_interval(mins => ${FAILING_MINUTES}))))::int as failing,
       (select count(*)::int from outbox.mail
        where dropped_at > now() - make_interval(hours => ${DROPPED_HOURS})
          and dropped_reason = 'undeliverable' and kind = any($1)) as dropped
     from outbox.mail where state = 'queued' and epoch = $2 and kind = any($1)`,
    [INBOX_MAIL_KINDS, epoch],
  );
  return rows[0] ?? { held: 0, failing: 0, dropped: 0 };
}

/** Logs that an inbox gets no emails of a kind, once until one is sent again. */
export class InboxAlarm {
  readonly #log: Logger;
  readonly #raised = new Set<MailKind>();

  constructor(log: Logger) {
    this.#log = log;
  }

  unsent(
    { id, kind, attempts }: LeasedMail,
    how: {
      readonly errorClass: string;
      readonly isRefused: boolean;
      readonly isDropped: boolean;
    },
  ): void {
    const { errorClass, isRefused, isDropped } = how;
    if (this.#raised.has(kind) || !(isRefused || isDropped || attempts >= FAILING_ATTEMPTS)) return;
    this.#raised.add(kind);
    const code = isDropped ? "inbox_mail_dropped" : "inbox_mail_unsent";
    this.#log.error({ code, job: id, kind, errorClass }, CAUSES[code]);
  }

  sent({ kind }: LeasedMail): void {
    this.#raised.delete(kind);
  }
}

const CAUSES = {
  inbox_mail_unsent:
    "the mail server isn't accepting an email to our own inbox: check SUPPORT_EMAIL, SALES_EMAIL and the mail server (we keep retrying; npm run inquiry -- list shows the contents)",
  inbox_mail_dropped:
    "an email to our own inbox could not be delivered: read it with npm run inquiry -- list, or in the console",
} as const;

/** The check `inbox_mails`: not ok while emails to inboxes are refused or fail, and for a day after one was given up. */
export function inboxMailsCheck(outbox: Pick<OutboxStore, "countInboxMails">): ReadinessCheck {
  return async (): Promise<CheckResult> => {
    const figures = await outbox.countInboxMails();
    const code = wrongWith(figures);
    if (!code) return { ok: true, detail: { ...figures } };
    return { ok: false, detail: { ...figures, code, cause: CAUSES[code] } };
  };
}

function wrongWith({ failing, dropped }: InboxCounts): keyof typeof CAUSES | undefined {
  if (failing > 0) return "inbox_mail_unsent";
  return dropped > 0 ? "inbox_mail_dropped" : undefined;
}
