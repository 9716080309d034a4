import type { Pool } from "pg";
import { type LeasedMail, Together } from "./leases.ts";
import type { UsedTemplate } from "./mail-words.ts";

interface Sent {
  readonly mail: LeasedMail;
  readonly used: UsedTemplate | undefined;
}

/**
 * `$1` to `$4` are ids, leases, kinds and templates. Templates are counted in one order, so that two mailers never
 * wait for each other.
 * @param locking how a mail is locked that something else has locked.
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

/** Marks mails as sent, many at a time, with the template of each, and counts its use. */
export class SentMarks {
  readonly #pool: Pool;
  readonly #together: Together<Sent, "done">;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.#together = new Together<Sent, "done">({
      all: async (sent) => {
        const marked = await this.#run(MARK_MANY, sent);
        return sent.map(({ mail }) => (marked.has(mail.id) ? "done" : undefined));
      },
      each: async (sent) => {
        await this.#run(MARK_ONE, [sent]);
        return "done";
      },
    });
  }

  /**
   * Marks a mail as sent, unless its lease is another worker's by now. A mail that is marked counts once.
   * @param used absent for a mail whose words no template has.
   */
  async mark(mail: LeasedMail, used?: UsedTemplate): Promise<void> {
    await this.#together.do({ mail, used });
  }

  async #run(text: string, sent: readonly Sent[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.#pool.query<{ id: string }>(text, [
      sent.map(({ mail }) => mail.id),
      sent.map(({ mail }) => mail.lease),
      sent.map(({ used }) => used?.kind ?? null),
      sent.map(({ used }) => used?.template ?? null),
    ]);
    return new Set(rows.map(({ id }) => id));
  }
}
