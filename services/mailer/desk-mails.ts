import type { Pool } from "pg";
import { DESK_KINDS, DESK_MAILS_AN_HOUR, type Desk } from "#contracts/mail/mail-kinds.ts";
import { lockUntilCommit } from "#runtime/db/lock.ts";
import { inTransaction } from "#runtime/db/migrate.ts";
import type { LeasedMail } from "./leases.ts";

/**
 * `held` when it waits for its desk's digest; `lost` when this worker no longer holds the mail: its lease
 * ended, or what it is about was erased.
 */
export type DeskAdmission = "admitted" | "held" | "lost";

/** The mails of one digest. */
export interface HeldMails {
  /** All of them, the one that stands for them included. */
  readonly ids: readonly string[];
  /** Reports, inquiries or notices that it names, oldest first: not more than {@link DIGEST_NAMES}. */
  readonly owners: readonly string[];
}

/** How many mails to the desks there are that somebody should know of. */
export interface DeskFigures {
  /** Waiting for their digest. */
  readonly held: number;
  /** Refused by the mail server, or unsent after several attempts. They are tried again. */
  readonly failing: number;
  /** Given up within {@link DROPPED_HOURS}. */
  readonly dropped: number;
}

/** Mails that one digest stands for, at most; the others come in the next one. */
const DIGEST_MAILS = 1_000;
/** Numbers that a digest lists. */
const DIGEST_NAMES = 100;
/** For how long a mail that was given up is an alarm. */
const DROPPED_HOURS = 24;
/** An attempt may fail now and then: so many are more than that, and so is so long a time. */
const FAILING_ATTEMPTS = 3;
const FAILING_MINUTES = 10;

/**
 * Records that a mail to a desk is about to be handed over or, where the desk has had enough of its kind
 * within an hour, that it waits for the digest. One digest an hour goes to a desk, for each kind. Across
 * all processes, mails of a kind to the same desk are admitted one after another.
 */
export async function admitForDesk(
  pool: Pool,
  mail: LeasedMail,
  desk: Desk,
  epoch: string,
): Promise<DeskAdmission> {
  return inTransaction(pool, async (client) => {
    await lockUntilCommit(client, `desk:${desk}:${mail.kind}`);
    if (!mail.heldFor) {
      const { rows } = await client.query<{ of_hour: number; digest_at: Date | null }>(
        `select count(*) filter (where tried_at > clock_timestamp() - interval '1 hour')::int as of_hour,
           min(next_attempt_at) filter (where state = 'queued' and held_at is not null and epoch = $4)
             as digest_at
         from outbox.mail where kind = $1 and desk = $2 and id <> $3
           and (tried_at > clock_timestamp() - interval '1 hour' or held_at is not null)`,
        [mail.kind, desk, mail.id, epoch],
      );
      const { of_hour = 0, digest_at = null } = rows[0] ?? {};
      if (digest_at || of_hour >= DESK_MAILS_AN_HOUR) {
        // A digest that is due lists its mails at any moment: this one comes with the next.
        const { rowCount } = await client.query(
          `update outbox.mail set held_at = now(), desk = $3, lease = null, leased_until = null,
             attempts = greatest(attempts - 1, 0),
             next_attempt_at = case when $4::timestamptz > clock_timestamp() then $4
               else clock_timestamp() + interval '1 hour' end
           where id = $1 and lease = $2`,
          [mail.id, mail.lease, desk, digest_at],
        );
        return rowCount ? "held" : "lost";
      }
    }
    const { rowCount } = await client.query(
      "update outbox.mail set tried_at = clock_timestamp(), desk = $3 where id = $1 and lease = $2",
      [mail.id, mail.lease, desk],
    );
    return rowCount ? "admitted" : "lost";
  });
}

/** What the digest that a mail stands for tells of. */
export async function heldWith(pool: Pool, mail: LeasedMail, epoch: string): Promise<HeldMails> {
  const { rows } = await pool.query<{ id: string; owner_id: string }>(
    `select id, coalesce(report_id, inquiry_id) as owner_id from outbox.mail
     where kind = $1 and desk = $2 and epoch = $3 and state = 'queued' and held_at is not null
       and (lease is null or id = $4)
     order by id <> $4, position, id limit ${DIGEST_MAILS}`,
    [mail.kind, mail.heldFor, epoch, mail.id],
  );
  return {
    ids: rows.map(({ id }) => id),
    owners: rows.slice(0, DIGEST_NAMES).map(({ owner_id }) => owner_id),
  };
}

/** Counts the mails to the desks that somebody should know of. */
export async function deskFigures(pool: Pool, epoch: string): Promise<DeskFigures> {
  const { rows } = await pool.query<DeskFigures>(
    `select count(*) filter (where held_at is not null)::int as held,
       count(*) filter (where last_error = 'MailRefused' or (last_error is not null and
         (attempts >= ${FAILING_ATTEMPTS}
           or created_at < now() - make_interval(mins => ${FAILING_MINUTES}))))::int as failing,
       (select count(*)::int from outbox.mail
        where dropped_at > now() - make_interval(hours => ${DROPPED_HOURS})
          and dropped_reason = 'undeliverable' and kind = any($1)) as dropped
     from outbox.mail where state = 'queued' and epoch = $2 and kind = any($1)`,
    [DESK_KINDS, epoch],
  );
  return rows[0] ?? { held: 0, failing: 0, dropped: 0 };
}
