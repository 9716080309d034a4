import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { UserEvent } from "#contracts/events/index.ts";
import { inTransaction } from "#runtime/db/migrate.ts";
import { registryDatabase } from "#test-kit/registry-database.ts";
import { OpenedLog } from "../../testing/opened.ts";
import { outboxReaction } from "./outbox.reaction.ts";

let database: Awaited<ReturnType<typeof registryDatabase>>;
let db: pg.Pool;
beforeAll(async () => {
  database = await registryDatabase();
  db = new pg.Pool({ connectionString: database.url, max: 2 });
});
afterAll(async () => {
  await db.end();
  await database.drop();
});

async function happens(accountId: string, event: UserEvent): Promise<void> {
  const { events } = new OpenedLog().add(`user-${accountId}`, event);
  const batch = { events, epoch: randomUUID() } as unknown as Parameters<
    ReturnType<typeof outboxReaction>["apply"]
  >[1];
  await inTransaction(db, (client) => outboxReaction().apply(client, batch));
}

/** Adds an email to the account, handed over this many hours ago, or never. */
async function mail(accountId: string, recipient: string | null, hoursAgo?: number): Promise<void> {
  await db.query(
    `insert into outbox.mail (id, kind, account_id, event_id, revision, position, epoch, recipient,
       tried_at, state, sent_at)
     values ($1::text, 'account_confirmation', $2, $1::uuid, 0, '1', 'e', $3,
       now() - make_interval(hours => $4), case when $4::int is null then 'queued' else 'sent' end,
       now() - make_interval(hours => $4))`,
    [randomUUID(), accountId, recipient, hoursAgo ?? null],
  );
}

describe("the emails of an account that has ended", () => {
  it.each([
    { type: "AccountReplaced", data: { replaced_by: randomUUID() } },
    { type: "AccountExpired", data: {} },
    { type: "AccountErased", data: {} },
  ] as const)(
    "are removed, and those of the last day still count toward caps: $type",
    async (end) => {
      const [account, other] = [randomUUID(), randomUUID()];
      const recipient = randomUUID();
      for (const hours of [0, 23, 25]) await mail(account, recipient, hours);
      await mail(account, null, 1);
      await mail(account, null);
      await mail(other, recipient, 1);
      await happens(account, end);
      const left = await db.query("select account_id from outbox.mail where recipient = $1", [
        recipient,
      ]);
      expect(left.rows).toEqual([{ account_id: other }]);
      const counted = await db.query(
        `select kind, round(extract(epoch from now() - tried_at) / 3600)::int as hours
       from outbox.counted where recipient = $1 order by hours`,
        [recipient],
      );
      expect(counted.rows).toEqual([
        { kind: "account_confirmation", hours: 0 },
        { kind: "account_confirmation", hours: 23 },
      ]);
    },
  );

  it("leave nothing that names the account or an event", async () => {
    const { rows } = await db.query(
      `select attname from pg_attribute
       where attrelid = 'outbox.counted'::regclass and attnum > 0 order by attnum`,
    );
    expect(rows.map(({ attname }) => attname)).toEqual(["recipient", "kind", "tried_at"]);
  });
});

describe("an email that is resent", () => {
  const EPOCH = randomUUID();
  const add = async (state: string, reason: string | null, epoch = EPOCH) => {
    const id = `mail-${randomUUID()}`;
    await db.query(
      `insert into outbox.mail (id, kind, account_id, event_id, revision, position, epoch, attempts,
         state, dropped_reason, dropped_at, last_error, next_attempt_at, sent_at)
       values ($1, 'account_confirmation', $2, $2, 0, '1', $5, 14, $3, $4, now(), 'ETIMEDOUT',
         now() + interval '1 hour', case when $3 = 'sent' then now() end)`,
      [id, randomUUID(), state, reason, epoch],
    );
    return id;
  };
  const resend = async (mail_id: string) => {
    const event = { type: "MailResent", data: { mail_id, kind: "account_confirmation" } } as const;
    const { events } = new OpenedLog().add(`mail-${randomUUID()}`, event);
    const batch = { events, epoch: EPOCH } as unknown as Parameters<
      ReturnType<typeof outboxReaction>["apply"]
    >[1];
    await inTransaction(db, (client) => outboxReaction().apply(client, batch));
  };
  const row = async (id: string) =>
    (
      await db.query(
        "select state, attempts, dropped_reason, dropped_at, last_error, next_attempt_at from outbox.mail where id = $1",
        [id],
      )
    ).rows[0];

  it("waits again, due immediately, with all its attempts", async () => {
    const id = await add("dropped", "undeliverable");
    await resend(id);
    expect(await row(id)).toEqual({
      state: "queued",
      attempts: 0,
      dropped_reason: null,
      dropped_at: null,
      last_error: null,
      next_attempt_at: null,
    });
  });

  it("stays as it is unless it was given up", async () => {
    for (const [state, reason, epoch] of [
      ["sent", null],
      ["dropped", "unwanted"],
      ["queued", null],
      // Asked for by the log before a restore.
      ["dropped", "undeliverable", randomUUID()],
    ] as const) {
      const id = await add(state, reason, epoch);
      const before = await row(id);
      await resend(id);
      expect(await row(id)).toEqual(before);
    }
  });
});
