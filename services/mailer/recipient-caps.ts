import type { Pool } from "pg";
import { mailKinds, RECIPIENT_CAP_A_DAY } from "#contracts/mail/mail-kinds.ts";
import { inTransaction } from "#runtime/db/transaction.ts";
import type { LeasedMail } from "./outbox.store.ts";

/** `lost` when this worker no longer holds the mail: its lease ended or its report was deleted. */
export type Admission = "admitted" | "recipient_cap" | "kind_cap" | "lost";

const recordTry = `update outbox.mail set tried_at = clock_timestamp(), recipient = $3
  where id = $1 and lease = $2`;

/**
 * Records that a mail is about to be handed over, unless its recipient has reached a daily cap.
 * Mails that were handed over count, whatever came of them. One that is tried again counts once,
 * from its last attempt. Those of an account that has ended since count as well. Mails to the same recipient are admitted one after another, across all
 * processes.
 * @param recipient blind index of the address, or undefined for a mail that was asked for, which
 *   does not count.
 */
export async function admit(
  pool: Pool,
  mail: LeasedMail,
  recipient: string | undefined,
): Promise<Admission> {
  if (recipient === undefined) {
    const { rowCount } = await pool.query(recordTry, [mail.id, mail.lease, null]);
    return rowCount ? "admitted" : "lost";
  }
  return inTransaction(pool, async (client) => {
    await client.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
      `mail:${recipient}`,
    ]);
    const { rows } = await client.query<{ in_all: number; of_kind: number }>(
      `select count(*)::int as in_all, count(*) filter (where kind = $2)::int as of_kind
       from (
         select kind, tried_at from outbox.mail where recipient = $1 and id <> $3
         union all
         select kind, tried_at from outbox.counted where recipient = $1
       ) as counted
       where tried_at > clock_timestamp() - interval '1 day'`,
      [recipient, mail.kind, mail.id],
    );
    const { in_all = 0, of_kind = 0 } = rows[0] ?? {};
    if (in_all >= RECIPIENT_CAP_A_DAY) return "recipient_cap";
    if (of_kind >= mailKinds[mail.kind].capADay) return "kind_cap";
    const { rowCount } = await client.query(recordTry, [mail.id, mail.lease, recipient]);
    return rowCount ? "admitted" : "lost";
  });
}
