import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { Inbox, MailKind } from "#contracts/mail/mail-kinds.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import type { MailToWrite } from "#mail-templates/writing/outgoing-mail.ts";
import type { WeekStats } from "#read-model/tables/outbox.ts";
import { Coalescer } from "#runtime/db/coalescer.ts";

interface Work<Item, Result> {
  /** Does several items with the same statements, waiting for no row. @returns undefined for one to be done alone. */
  readonly all: (items: readonly Item[]) => Promise<readonly (Result | undefined)[]>;
  /** Does one item, waiting for locked rows. */
  readonly each: (item: Item) => Promise<Result>;
}

/** Maximum number of emails per statement. */
const MAX = 50;

/** Batches work on emails into one statement and commit. What can't be batched is done alone. */
export class Batched<Item, Result> {
  readonly #each: (item: Item) => Promise<Result>;
  readonly #calls: Coalescer<Item, Result | undefined>;

  constructor({ all, each }: Work<Item, Result>) {
    this.#each = each;
    this.#calls = new Coalescer(all, { most: MAX });
  }

  async do(item: Item): Promise<Result> {
    const done = await this.#calls.add(item).catch(() => undefined);
    return done ?? this.#each(item);
  }
}

/** An email that this worker has leased. */
export interface LeasedMail extends MailToWrite {
  /** Number of attempts, including this one. */
  readonly attempts: number;
  /** Whether the previous worker stopped without marking the email, and so may have sent it. */
  readonly isTakenOver: boolean;
  readonly lease: string;
  /** The inbox that gets it in one digest with all other emails held for it. */
  readonly heldFor?: Inbox;
}

/** Seconds that a worker holds an email before another one may try it. */
const LEASE_SECONDS = 120;
/** SQLSTATE when another email of the same report was leased at the same moment. */
const UNIQUE_VIOLATION = "23505";

/** Matches emails that at most another one of their report holds up. The first represents its whole digest. */
const FREE = `state = 'queued' and epoch = $1
  and (leased_until is null or leased_until < now())
  and (next_attempt_at is null or next_attempt_at <= now())
  and (held_at is null or not exists (select from outbox.mail as other
    where other.kind = mail.kind and other.inbox = mail.inbox and other.held_at is not null
      and other.state = 'queued' and other.epoch = $1 and other.id < mail.id))`;

/** Matches emails that may be sent now; `$1` is the log's epoch. Those of one report go in order. */
export const DUE = `${FREE}
  and not exists (select from outbox.mail as other
    where other.report_id = mail.report_id and other.lease is not null and other.id <> mail.id)`;

interface LeasedRow {
  readonly id: string;
  readonly kind: MailKind;
  readonly owner_id: string;
  readonly revision: number;
  readonly created_at: Date;
  readonly attempts: number;
  readonly taken_over: boolean;
  readonly own: string | null;
  readonly further: string | null;
  readonly figures: WeekStats | null;
  readonly template_kind: string | null;
  readonly held_for: Inbox | null;
}

/** @param before selects the id and the previous lease of each email, and locks them. */
const leaseAll = (before: string) => `update outbox.mail as mail
    set lease = $3, attempts = mail.attempts + 1, leased_until = now() + make_interval(secs => $4)
  from (${before}) as before
  where mail.id = before.id
  returning mail.id, kind, coalesce(report_id, account_id, inquiry_id) as owner_id, revision, created_at,
    attempts, before.lease is not null as taken_over, own_report_id as own,
    further_report_id as further, figures, template_kind,
    case when held_at is not null then inbox end as held_for`;

const LEASE_ONE = leaseAll(`select id, lease from outbox.mail where id = $2 and ${DUE} for update`);

/** Takes only the first email of each report: a second one would fail the whole statement. */
const LEASE_MANY = leaseAll(
  `select id, lease from outbox.mail
   where id in (
       select distinct on (coalesce(report_id::text, id)) id from outbox.mail
       where id = any($2) and ${DUE}
       order by coalesce(report_id::text, id), position, id)
     and ${DUE}
   for update skip locked`,
);

/** Leases emails to this worker, many at a time. @param epoch of the log. */
export function leasing(pool: Pool, epoch: string) {
  const together = new Batched<string, LeasedMail | "held_up" | "not_due">({
    async all(ids) {
      const lease = randomUUID();
      const values = [epoch, ids, lease, LEASE_SECONDS];
      const { rows } = await pool.query<LeasedRow>(LEASE_MANY, values);
      const leased = new Map(rows.map((row) => [row.id, leasedMail(row, lease)]));
      return ids.map((id) => {
        const mail = leased.get(id);
        // Any other call for the same email does not get it.
        leased.delete(id);
        return mail;
      });
    },
    async each(id) {
      const lease = randomUUID();
      try {
        const { rows } = await pool.query<LeasedRow>(LEASE_ONE, [epoch, id, lease, LEASE_SECONDS]);
        const [row] = rows;
        if (row) return leasedMail(row, lease);
        // Also if the other email was finished just now: then a retry finds this one due.
        const free = `select from outbox.mail where id = $2 and ${FREE}`;
        return (await pool.query(free, [epoch, id])).rows.length > 0 ? "held_up" : "not_due";
      } catch (error) {
        if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) return "held_up";
        throw error;
      }
    },
  });
  return async (id: string): Promise<LeasedMail | "held_up" | undefined> => {
    const leased = await together.do(id);
    return leased === "not_due" ? undefined : leased;
  };
}

function leasedMail(row: LeasedRow, lease: string): LeasedMail {
  return {
    id: row.id,
    kind: row.kind,
    ownerId: row.owner_id,
    revision: row.revision,
    at: row.created_at.toISOString(),
    attempts: row.attempts,
    isTakenOver: row.taken_over,
    lease,
    ...omitUndefined({
      reports: row.own && row.further ? { own: row.own, further: row.further } : undefined,
      figures: row.figures ?? undefined,
      templateKind: row.template_kind ?? undefined,
      heldFor: row.held_for ?? undefined,
    }),
  };
}
