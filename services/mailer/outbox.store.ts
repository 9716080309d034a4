import type { Pool } from "pg";
import type { Inbox } from "#contracts/mail/mail-kinds.ts";
import { RETENTION_DAYS } from "#contracts/retention.ts";
import type { UsedTemplate } from "#mail-templates/writing/mail-renderer.ts";
import type { DigestMails } from "#mail-templates/writing/mail-writer.ts";
import {
  admitToInbox,
  countInboxMails,
  type InboxAdmission,
  type InboxCounts,
  readDigest,
} from "./inbox-mails.ts";
import { Batched, DUE, type LeasedMail, leasing } from "./leases.ts";
import { admitting } from "./recipient-caps.ts";

interface Sent {
  readonly mail: LeasedMail;
  readonly used: UsedTemplate | undefined;
}

/**
 * `$1` to `$4`: ids, leases, kinds, templates. Uses are counted in one order, against deadlocks. @param locking
 * of a locked row.
 */
const markAll = (locking: string) => `
  with done as (
    select mail.id, done.kind, done.template
    from outbox.mail
    join unnest($1::text[], $2::text[], $3::text[], $4::text[]) as done (id, lease, kind, template)
      on mail.id = done.id and mail.lease = done.lease
    ${locking}
  ), marked as (
    update outbox.mail set state = 'sent', sent_at = now(), last_error = null,
      template = done.template, lease = null, leased_until = null
    from done where mail.id = done.id
    returning mail.id, done.kind, done.template
  ), counted as (
    insert into outbox.template_use (kind, template, uses, last_used_at)
    select kind, template, count(*), now() from marked
    where template is not null group by kind, template order by kind, template
    on conflict (kind, template) do update
      set uses = template_use.uses + excluded.uses, last_used_at = excluded.last_used_at
  )
  select id from marked`;

const MARK_ONE = markAll("for update of mail");
const MARK_MANY = markAll("for update of mail skip locked");

/** Marks emails as sent, many at a time, with the template of each, and counts its use. */
function marking(pool: Pool) {
  const run = async (text: string, sent: readonly Sent[]) => {
    const { rows } = await pool.query<{ id: string }>(text, [
      sent.map(({ mail }) => mail.id),
      sent.map(({ mail }) => mail.lease),
      sent.map(({ used }) => used?.kind ?? null),
      sent.map(({ used }) => used?.template ?? null),
    ]);
    return new Set(rows.map(({ id }) => id));
  };
  const together = new Batched<Sent, "done">({
    all: async (sent) => {
      const marked = await run(MARK_MANY, sent);
      return sent.map(({ mail }) => (marked.has(mail.id) ? "done" : undefined));
    },
    each: async (sent) => {
      await run(MARK_ONE, [sent]);
      return "done";
    },
  });
  return async (mail: LeasedMail, used?: UsedTemplate): Promise<void> => {
    await together.do({ mail, used });
  };
}

/** Number of attempts before an email is given up, about two days after the first. */
const MAX_ATTEMPTS = 14;

/** Seconds until a mailer tries a postponed email again. */
const POSTPONED_SECONDS = 30;

/** Days that a row is kept after its last attempt. A waiting email's row is kept until it is done. */
const KEPT_DAYS = RETENTION_DAYS.mail;
/** Rows that one statement of a sweep deletes. */
const SWEPT_AT_ONCE = 1_000;
/** Result of {@link OutboxStore.waiting}. */
export interface Waiting {
  /** The database's time, to pass to the next call. Treat it as opaque. */
  readonly at: string;
  readonly due: number;
  /** Emails that were due at the time passed in and have not been touched since. */
  readonly untouched: number;
  /** Whether a worker holds an email at this moment. */
  readonly isAtWork: boolean;
}

export class OutboxStore {
  readonly #pool: Pool;
  readonly #epoch: string;
  /** Leases an email if it is free. @returns `held_up` if it waits only for another one of its report. */
  readonly lease: ReturnType<typeof leasing>;
  /**
   * Records that an email is about to be handed over, unless its recipient has reached a daily cap.
   * Every email that was handed over counts, whatever the result. A retried one counts once, from its last
   * attempt. Those of an account that has ended since count as well.
   * @param recipient the blind index of the address; undefined for a requested email, which does not count.
   */
  readonly admit: ReturnType<typeof admitting>;
  /** Marks an email as sent, once, unless another worker leases it, and counts the template's use, if any. */
  readonly sent: ReturnType<typeof marking>;

  /** @param epoch of the log. Emails of another epoch wait until an operator releases them. */
  constructor(pool: Pool, epoch: string) {
    this.#pool = pool;
    this.#epoch = epoch;
    this.lease = leasing(pool, epoch);
    this.admit = admitting(pool);
    this.sent = marking(pool);
  }

  /** Returns the ids of emails that no one holds and that may be sent now, oldest first. */
  async due(limit: number): Promise<string[]> {
    const { rows } = await this.#pool.query<{ id: string }>(
      `select id from outbox.mail where ${DUE} order by position, id limit $2`,
      [this.#epoch, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Counts due emails, and those untouched since `at` of an earlier call. */
  async waiting(at: string | undefined): Promise<Waiting> {
    const { rows } = await this.#pool.query<{
      at: string;
      due: string;
      untouched: string;
      at_work: boolean;
    }>(
      `select now()::text as at, count(*) filter (where ${DUE}) as due,
         count(*) filter (where ${DUE} and
           greatest(created_at, next_attempt_at, leased_until) <= coalesce($2, now())) as untouched,
         coalesce(bool_or(leased_until >= now()), false) as at_work
       from outbox.mail where state = 'queued' and epoch = $1`,
      [this.#epoch, at ?? null],
    );
    const [row] = rows;
    return {
      at: row?.at ?? "",
      due: Number(row?.due ?? 0),
      untouched: Number(row?.untouched ?? 0),
      isAtWork: row?.at_work ?? false,
    };
  }

  admitToInbox(mail: LeasedMail, inbox: Inbox): Promise<InboxAdmission> {
    return admitToInbox(this.#pool, mail, inbox, this.#epoch);
  }

  readDigest(mail: LeasedMail): Promise<DigestMails> {
    return readDigest(this.#pool, mail, this.#epoch);
  }

  /** Marks the emails that a digest covered. */
  async markSentInDigest({ ids }: DigestMails): Promise<void> {
    await this.#pool.query(
      `update outbox.mail set state = 'sent', sent_at = now()
       where id = any($1) and state = 'queued' and held_at is not null and lease is null`,
      [ids],
    );
  }

  countInboxMails(): Promise<InboxCounts> {
    return countInboxMails(this.#pool, this.#epoch);
  }

  async dropped(mail: LeasedMail, reason: string): Promise<void> {
    await this.#close(mail, "state = 'dropped', dropped_reason = $3, dropped_at = now()", [reason]);
  }

  /** Schedules another attempt, after 10 s, 20 s, 40 s, up to six hours. @returns `dropped` after the last. */
  async failed(mail: LeasedMail, errorClass: string): Promise<"waits" | "dropped"> {
    if (mail.attempts >= MAX_ATTEMPTS) {
      await this.dropped(mail, "undeliverable");
      return "dropped";
    }
    const seconds = Math.min(10 * 2 ** (mail.attempts - 1), 6 * 3600);
    await this.#close(
      mail,
      "next_attempt_at = now() + make_interval(secs => $4), last_error = $3",
      [errorClass, seconds],
    );
    return "waits";
  }

  /** Delays an email until a mailer can write it. This does not count as an attempt. */
  async postponed(mail: LeasedMail, errorClass: string): Promise<void> {
    await this.#close(
      mail,
      `attempts = greatest(attempts - 1, 0), last_error = $3,
         next_attempt_at = now() + make_interval(secs => $4)`,
      [errorClass, POSTPONED_SECONDS],
    );
  }

  /** Counts waiting rows and how many failed last time, with the oldest one's age in seconds. */
  async counts() {
    const { rows } = await this.#pool.query<{
      queued: string;
      failing: string;
      oldest: string;
      other: string;
    }>(
      `select count(*) as queued, count(*) filter (where epoch <> $1) as other,
         count(*) filter (where last_error is not null) as failing,
         coalesce(extract(epoch from now() - min(created_at)), 0) as oldest
       from outbox.mail where state = 'queued'`,
      [this.#epoch],
    );
    const [row] = rows;
    return {
      queued: Number(row?.queued ?? 0),
      failing: Number(row?.failing ?? 0),
      oldestSeconds: Math.round(Number(row?.oldest ?? 0)),
      otherEpoch: Number(row?.other ?? 0),
    };
  }

  /** Clears recipients that no longer count, and deletes old rows of finished emails. @returns the number deleted. */
  async sweep(): Promise<number> {
    await this.#pool.query(
      `update outbox.mail set recipient = null
       where recipient is not null and tried_at < now() - interval '1 day'`,
    );
    await this.#pool.query("delete from outbox.counted where tried_at < now() - interval '1 day'");
    for (let removed = 0; ; ) {
      const { rowCount } = await this.#pool.query(
        `delete from outbox.mail where id in (
           select id from outbox.mail
           where state <> 'queued' and created_at < now() - make_interval(days => $1)
             and (tried_at is null or tried_at < now() - make_interval(days => $1))
           limit $2 for update skip locked)`,
        [KEPT_DAYS, SWEPT_AT_ONCE],
      );
      removed += rowCount ?? 0;
      if ((rowCount ?? 0) < SWEPT_AT_ONCE) return removed;
    }
  }

  /** Does nothing if the row is missing: its report was deleted, so there is nothing to record. */
  async #close(mail: LeasedMail, set: string, values: unknown[]): Promise<void> {
    await this.#pool.query(
      `update outbox.mail set ${set}, lease = null, leased_until = null
       where id = $1 and lease = $2`,
      [mail.id, mail.lease, ...values],
    );
  }
}
