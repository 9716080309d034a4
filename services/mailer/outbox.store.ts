import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { given } from "#contracts/given.ts";
import type { Desk, MailKind } from "#contracts/mail/mail-kinds.ts";
import { RETENTION_DAYS } from "#contracts/retention.ts";
import type { WeekFigures } from "#read-model/tables/outbox.ts";
import {
  admitForDesk,
  type DeskAdmission,
  type DeskFigures,
  deskFigures,
  type HeldMails,
  heldWith,
} from "./desk-mails.ts";
import type { UsedTemplate } from "./mail-words.ts";
import { type Admission, admit } from "./recipient-caps.ts";

/** A mail that this worker has leased. */
export interface LeasedMail {
  readonly id: string;
  readonly kind: MailKind;
  /** Id of the report or, depending on the kind, of the account, the inquiry or the notice. */
  readonly ownerId: string;
  readonly revision: number;
  /** When the event happened that asks for it, RFC 3339. */
  readonly at: string;
  /** Number of attempts, including this one. */
  readonly attempts: number;
  /** Whether the previous worker stopped without marking the mail, and so may have sent it. */
  readonly isTakenOver: boolean;
  readonly lease: string;
  /** The two reports of a mail about a further report on the same person. */
  readonly reports?: { readonly own: string; readonly further: string };
  /** What a weekly summary says. */
  readonly figures?: WeekFigures;
  /** The kind whose templates the event is about that asks for it. */
  readonly templateKind?: string;
  /** The desk to which it goes in one mail with all others that are held for it. */
  readonly heldFor?: Desk;
}

/** Seconds that a worker holds a mail before another one may try. */
const LEASE_SECONDS = 120;
/** Number of attempts before a mail is given up, about two days after the first. */
const MAX_ATTEMPTS = 14;

/** Seconds until a mailer tries a postponed mail again. */
const POSTPONED_SECONDS = 30;

/**
 * Days that a row is kept after its last attempt. The row of a waiting mail is kept until it is
 * done.
 */
const KEPT_DAYS = RETENTION_DAYS.mail;
/** Rows that one statement of a sweep removes. */
const SWEPT_AT_ONCE = 1_000;
/** SQLSTATE when another mail of the same report was leased at the same moment. */
const UNIQUE_VIOLATION = "23505";

/** Result of {@link OutboxStore.waiting}. */
export interface Waiting {
  /** The database's time, to pass to the next call. Treat it as opaque. */
  readonly at: string;
  /** Mails that are due now. */
  readonly due: number;
  /** Mails that were due at the time passed in and have not been touched since. */
  readonly untouched: number;
  /** Whether a worker holds a mail at this moment. */
  readonly isAtWork: boolean;
}

/**
 * Nothing but another mail of its report may hold such a mail up. Of those that are held for one digest,
 * the first stands for all.
 */
const free = `state = 'queued' and epoch = $1
  and (leased_until is null or leased_until < now())
  and (next_attempt_at is null or next_attempt_at <= now())
  and (held_at is null or not exists (select from outbox.mail as other
    where other.kind = mail.kind and other.desk = mail.desk and other.held_at is not null
      and other.state = 'queued' and other.epoch = $1 and other.id < mail.id))`;

/** While one mail of a report is in flight its others wait, which keeps them in order. */
const due = `${free}
  and not exists (select from outbox.mail as other
    where other.report_id = mail.report_id and other.lease is not null and other.id <> mail.id)`;

export class OutboxStore {
  readonly #pool: Pool;
  readonly #epoch: string;

  /** @param epoch of the log. Mails of another epoch wait until an operator releases them. */
  constructor(pool: Pool, epoch: string) {
    this.#pool = pool;
    this.#epoch = epoch;
  }

  /** Ids of mails that nobody holds and that may be sent now, oldest first. */
  async due(limit: number): Promise<string[]> {
    const { rows } = await this.#pool.query<{ id: string }>(
      `select id from outbox.mail where ${due} order by position, id limit $2`,
      [this.#epoch, limit],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Counts due mails, and those among them that nobody has touched since `at` of an earlier call.
   * Every attempt makes a mail due later, or never again.
   */
  async waiting(at: string | undefined): Promise<Waiting> {
    const { rows } = await this.#pool.query<{
      at: string;
      due: string;
      untouched: string;
      at_work: boolean;
    }>(
      `select now()::text as at, count(*) filter (where ${due}) as due,
         count(*) filter (where ${due} and
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

  /**
   * Leases a mail, unless it is done or another worker holds it.
   * @returns `held_up` when it has to wait only for another mail of its report.
   */
  async lease(id: string): Promise<LeasedMail | "held_up" | undefined> {
    try {
      return (await this.#lease(id)) ?? ((await this.#isFree(id)) ? "held_up" : undefined);
    } catch (error) {
      if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) return "held_up";
      throw error;
    }
  }

  /** Also true if the other mail was finished just now. */
  async #isFree(id: string): Promise<boolean> {
    const { rows } = await this.#pool.query(`select from outbox.mail where id = $2 and ${free}`, [
      this.#epoch,
      id,
    ]);
    return rows.length > 0;
  }

  async #lease(id: string): Promise<LeasedMail | undefined> {
    const lease = randomUUID();
    const { rows } = await this.#pool.query<{
      kind: MailKind;
      owner_id: string;
      revision: number;
      created_at: Date;
      attempts: number;
      taken_over: boolean;
      own: string | null;
      further: string | null;
      figures: WeekFigures | null;
      template_kind: string | null;
      held_for: Desk | null;
    }>(
      `update outbox.mail as mail set lease = $3, attempts = mail.attempts + 1,
         leased_until = now() + make_interval(secs => $4)
       from (select id, lease from outbox.mail where id = $2 and ${due} for update) as before
       where mail.id = before.id
       returning kind, coalesce(report_id, account_id, inquiry_id) as owner_id, revision, created_at, attempts,
         before.lease is not null as taken_over, own_report_id as own,
         further_report_id as further, figures, template_kind,
         case when held_at is not null then desk end as held_for`,
      [this.#epoch, id, lease, LEASE_SECONDS],
    );
    const row = rows[0];
    return (
      row && {
        id,
        kind: row.kind,
        ownerId: row.owner_id,
        revision: row.revision,
        at: row.created_at.toISOString(),
        attempts: row.attempts,
        isTakenOver: row.taken_over,
        lease,
        ...given({
          reports: row.own && row.further ? { own: row.own, further: row.further } : undefined,
          figures: row.figures ?? undefined,
          templateKind: row.template_kind ?? undefined,
          heldFor: row.held_for ?? undefined,
        }),
      }
    );
  }

  /** See {@link admit}. */
  admit(mail: LeasedMail, recipient: string | undefined): Promise<Admission> {
    return admit(this.#pool, mail, recipient);
  }

  /** See {@link admitForDesk}. */
  admitForDesk(mail: LeasedMail, desk: Desk): Promise<DeskAdmission> {
    return admitForDesk(this.#pool, mail, desk, this.#epoch);
  }

  /** See {@link heldWith}. */
  heldWith(mail: LeasedMail): Promise<HeldMails> {
    return heldWith(this.#pool, mail, this.#epoch);
  }

  /** Marks the mails that a digest told of. */
  async toldInDigest({ ids }: HeldMails): Promise<void> {
    await this.#pool.query(
      `update outbox.mail set state = 'sent', sent_at = now()
       where id = any($1) and state = 'queued' and held_at is not null and lease is null`,
      [ids],
    );
  }

  /** See {@link deskFigures}. */
  deskFigures(): Promise<DeskFigures> {
    return deskFigures(this.#pool, this.#epoch);
  }

  /**
   * Marks a mail as sent, and counts a use of its template. A mail that is marked counts once.
   * @param used absent for a mail whose words no template has.
   */
  async sent(mail: LeasedMail, used?: UsedTemplate): Promise<void> {
    await this.#pool.query(
      `with marked as (
         update outbox.mail set state = 'sent', sent_at = now(), last_error = null,
           lease = null, leased_until = null
         where id = $1 and lease = $2 returning 1
       )
       insert into outbox.template_use (kind, template, uses, last_used_at)
       select $3, $4, 1, now() from marked where $4::text is not null
       on conflict (kind, template) do update
         set uses = template_use.uses + 1, last_used_at = excluded.last_used_at`,
      [mail.id, mail.lease, used?.kind ?? null, used?.template ?? null],
    );
  }

  async dropped(mail: LeasedMail, reason: string): Promise<void> {
    await this.#close(mail, "state = 'dropped', dropped_reason = $3, dropped_at = now()", [reason]);
  }

  /**
   * Schedules another attempt: after 10 s, 20 s, 40 s and so on, up to six hours.
   * @returns `dropped` after the last attempt.
   */
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

  /** Delays a mail until a mailer can write it. This does not count as an attempt. */
  async postponed(mail: LeasedMail, errorClass: string): Promise<void> {
    await this.#close(
      mail,
      `attempts = greatest(attempts - 1, 0), last_error = $3,
         next_attempt_at = now() + make_interval(secs => $4)`,
      [errorClass, POSTPONED_SECONDS],
    );
  }

  /**
   * Number of waiting rows, how many of them failed last time, and the oldest one's age in seconds.
   */
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

  /**
   * Clears recipients that no longer count towards a cap, and removes old rows of finished mails.
   * @returns how many rows were removed.
   */
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

  /** A missing row belonged to a deleted report, so there is nothing to record. */
  async #close(mail: LeasedMail, set: string, values: unknown[]): Promise<void> {
    await this.#pool.query(
      `update outbox.mail set ${set}, lease = null, leased_until = null
       where id = $1 and lease = $2`,
      [mail.id, mail.lease, ...values],
    );
  }
}
