import type { Pool, PoolClient } from "pg";
import { type MailKind, mailKinds, RECIPIENT_CAP_A_DAY } from "#contracts/mail/mail-kinds.ts";
import { inTransaction } from "#runtime/db/migrate.ts";
import { Batched, type LeasedMail } from "./leases.ts";

/** `lost` when this worker no longer holds the email: its lease ended or its report was deleted. */
type Admission = "admitted" | "recipient_cap" | "kind_cap" | "lost";

/** How to treat locked rows: wait for them, or skip them. */
type Locking = "" | "skip locked";

interface Asked {
  readonly mail: LeasedMail;
  readonly recipient: string | undefined;
}

/** An email that counts toward its recipient's caps. */
interface Counted {
  /** Undefined for an email of an account that has ended. */
  readonly id: string | undefined;
  readonly recipient: string;
  readonly kind: MailKind;
}

/** Admits emails one at a time per recipient: see `OutboxStore.admit`. */
export function admitting(pool: Pool) {
  const together = new Batched<Asked, Admission>({
    all: (asked) => admit(pool, asked, "skip locked"),
    each: async (asked) => (await admit(pool, [asked], ""))[0] ?? "lost",
  });
  return (mail: LeasedMail, recipient: string | undefined): Promise<Admission> =>
    together.do({ mail, recipient });
}

/** @returns undefined for an email that is missing, no longer leased to this worker, or locked. */
async function admit(
  pool: Pool,
  asked: readonly Asked[],
  locking: Locking,
): Promise<readonly (Admission | undefined)[]> {
  const recipients = new Set(asked.flatMap(({ recipient }) => recipient ?? []));
  if (recipients.size === 0) {
    const tried = await recordUncounted(pool, asked, locking);
    return asked.map(({ mail }) => (tried.has(mail.id) ? "admitted" : undefined));
  }
  return inTransaction(pool, async (client) => {
    await lockRecipients(client, [...recipients]);
    const held = await lockMails(client, asked, locking);
    let counted = await readCounted(client, [...recipients]);
    const tried: Asked[] = [];
    const admissions = asked.map(({ mail, recipient }): Admission | undefined => {
      if (!held.has(mail.id)) return undefined;
      const others = counted.filter(({ id }) => id !== mail.id);
      if (recipient !== undefined) {
        const cap = capOf(
          mail.kind,
          others.filter((each) => each.recipient === recipient),
        );
        if (cap) return cap;
        others.push({ id: mail.id, recipient, kind: mail.kind });
      }
      counted = others;
      tried.push({ mail, recipient });
      return "admitted";
    });
    await recordTries(client, tried);
    return admissions;
  });
}

/** @param others emails that the recipient got within the last day. */
function capOf(kind: MailKind, others: readonly Counted[]): Admission | undefined {
  if (others.length >= RECIPIENT_CAP_A_DAY) return "recipient_cap";
  const ofKind = others.filter((each) => each.kind === kind).length;
  return ofKind >= mailKinds[kind].capADay ? "kind_cap" : undefined;
}

/** Selects the ids of emails that are still leased to this worker, and locks them: see {@link leasesOf}. */
const leasedMails = (locking: Locking) => `
  select mail.id from outbox.mail
  join unnest($1::text[], $2::text[]) as asked (id, lease)
    on mail.id = asked.id and mail.lease = asked.lease
  for update of mail ${locking}`;

const leasesOf = (asked: readonly Asked[]) => [
  asked.map(({ mail }) => mail.id),
  asked.map(({ mail }) => mail.lease),
];

const idsOf = ({ rows }: { readonly rows: readonly { readonly id: string }[] }) =>
  new Set(rows.map(({ id }) => id));

/** Records attempts of emails that do not count. @returns the ids of those leased to this worker. */
async function recordUncounted(
  pool: Pool,
  asked: readonly Asked[],
  locking: Locking,
): Promise<ReadonlySet<string>> {
  return idsOf(
    await pool.query(
      `with leased as (${leasedMails(locking)})
       update outbox.mail set tried_at = clock_timestamp(), recipient = null
       from leased where mail.id = leased.id returning mail.id`,
      leasesOf(asked),
    ),
  );
}

/** Locks in a fixed order, so that two mailers never wait for each other. */
async function lockRecipients(client: PoolClient, recipients: readonly string[]): Promise<void> {
  await client.query(
    `select pg_advisory_xact_lock(key) from (
       select distinct hashtextextended('mail:' || recipient, 0) as key
       from unnest($1::text[]) as asked (recipient) order by key) as keys`,
    [recipients],
  );
}

async function lockMails(
  client: PoolClient,
  asked: readonly Asked[],
  locking: Locking,
): Promise<ReadonlySet<string>> {
  return idsOf(await client.query(leasedMails(locking), leasesOf(asked)));
}

/** Reads the emails counted within the last day. */
async function readCounted(client: PoolClient, recipients: readonly string[]): Promise<Counted[]> {
  const { rows } = await client.query<{ id: string | null; recipient: string; kind: MailKind }>(
    `select id, recipient, kind from outbox.mail
     where recipient = any($1) and tried_at > clock_timestamp() - interval '1 day'
     union all
     select null, recipient, kind from outbox.counted
     where recipient = any($1) and tried_at > clock_timestamp() - interval '1 day'`,
    [recipients],
  );
  return rows.map(({ id, recipient, kind }) => ({ id: id ?? undefined, recipient, kind }));
}

async function recordTries(client: PoolClient, tried: readonly Asked[]): Promise<void> {
  if (tried.length === 0) return;
  await client.query(
    `update outbox.mail set tried_at = clock_timestamp(), recipient = tried.recipient
     from unnest($1::text[], $2::text[]) as tried (id, recipient) where mail.id = tried.id`,
    [tried.map(({ mail }) => mail.id), tried.map(({ recipient }) => recipient ?? null)],
  );
}
