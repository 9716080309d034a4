import type { Pool } from "pg";
import { inTransaction } from "#runtime/db/transaction.ts";
import { mailKinds, RECIPIENT_CAP_A_DAY } from "./mail-kinds.ts";
import type { LeasedMail } from "./outbox.store.ts";

/** `lost`: the lease ended, or the report was deleted, so the mail is not this worker's any more. */
export type Admission = "admitted" | "recipient_cap" | "kind_cap" | "lost";

const takeNote = `update outbox.mail set tried_at = clock_timestamp(), recipient = $3
  where id = $1 and lease = $2`;

/**
 * Notes that a mail is about to be handed over, unless its recipient has had enough for a day. What
 * was handed over counts, whatever came of it; one that is tried again counts once, from its last
 * try on. Mails to one recipient are admitted one after another, in all processes.
 * @param recipient its blind index, or undefined for a mail that was asked for: it is not counted.
 */
export async function admit(
  pool: Pool,
  mail: LeasedMail,
  recipient: string | undefined,
): Promise<Admission> {
  if (recipient === undefined) {
    const { rowCount } = await pool.query(takeNote, [mail.id, mail.lease, null]);
    return rowCount ? "admitted" : "lost";
  }
  return inTransaction(pool, async (client) => {
    await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
      `mail:${recipient}`,
    ]);
    const { rows } = await client.query<{ in_all: number; of_kind: number }>(
      `select count(*)::int as in_all, count(*) filter (where kind = $2)::int as of_kind
       from outbox.mail
       where recipient = $1 and tried_at > clock_timestamp() - interval '1 day' and id <> $3`,
      [recipient, mail.kind, mail.id],
    );
    const { in_all = 0, of_kind = 0 } = rows[0] ?? {};
    if (in_all >= RECIPIENT_CAP_A_DAY) return "recipient_cap";
    if (of_kind >= mailKinds[mail.kind].capADay) return "kind_cap";
    const { rowCount } = await client.query(takeNote, [mail.id, mail.lease, recipient]);
    return rowCount ? "admitted" : "lost";
  });
}
