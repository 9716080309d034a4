import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { MAX_RESENDS } from "#contracts/http/admin-mails.ts";
import { forFile } from "#test-kit/for-file.ts";
import { refusal, startCommandApi } from "../testing/command-api.fixture.ts";

const fixture = forFile(() => startCommandApi());

/** Adds a row to the outbox. @param epoch of the log that asked for it. @returns its ID. */
async function mail(
  state: "queued" | "sent" | "dropped",
  reason?: string,
  epoch?: string,
): Promise<string> {
  const id = `mail-${randomUUID()}`;
  await fixture.db.query(
    `insert into outbox.mail (id, kind, account_id, event_id, revision, position, epoch, state,
       sent_at, dropped_reason)
     values ($1, 'account_confirmation', $2, $2, 0, '1',
       coalesce($5, (select id::text from event_log.event where type = 'LogStarted')), $3,
       case when $3 = 'sent' then now() end, $4)`,
    [id, randomUUID(), state, reason ?? null, epoch ?? null],
  );
  return id;
}
const resend = (id: string, options: { as?: "admin" | "user" | "auditor"; key?: string } = {}) =>
  fixture.call("POST", `/prod/api/admin/mails/${id}/resend`, { body: {}, as: "admin", ...options });

async function resent(id: string) {
  const { rows } = await fixture.db.query<{ stream: string; data: object; metadata: object }>(
    "select stream, data, metadata from event_log.event where type = 'MailResent' and data ->> 'mail_id' = $1",
    [id],
  );
  return rows;
}

it("logs which email was resent, and by whom", async () => {
  const id = await mail("dropped", "undeliverable");
  const key = randomUUID();
  for (const _ of [1, 2]) expect((await resend(id, { key })).statusCode).toBe(200);
  const [event, ...others] = await resent(id);
  expect(others).toEqual([]);
  expect(event?.stream).toMatch(/^mail-[0-9a-f-]{36}$/);
  expect(event?.data).toEqual({ mail_id: id, kind: "account_confirmation" });
  expect(event?.metadata).toMatchObject({ actor: { role: "admin" }, command: "ResendMail" });
});

it("resends only emails that were dropped as undeliverable", async () => {
  const others = [await mail("queued"), await mail("sent"), await mail("dropped", "unwanted")];
  for (const id of others) {
    const answer = await resend(id);
    expect(refusal(answer)).toEqual([409, "mail_not_failed"]);
    expect(await resent(id)).toEqual([]);
  }
  const earlier = await mail("dropped", "undeliverable", randomUUID());
  expect((await resend(earlier)).json().error).toMatchObject({
    code: "mail_before_restore",
    message: expect.stringContaining("before a restore"),
  });
  expect(await resent(earlier)).toEqual([]);
  expect((await resend(`mail-${randomUUID()}`)).statusCode).toBe(404);
  expect((await resend("mail-A*B")).statusCode).toBe(400);
});

it("resends an email only a few times", async () => {
  const id = await mail("dropped", "undeliverable");
  for (let times = 0; times < MAX_RESENDS; times += 1)
    expect((await resend(id)).statusCode).toBe(200);
  const answer = await resend(id);
  expect(refusal(answer)).toEqual([409, "resend_limit"]);
  expect(await resent(id)).toHaveLength(MAX_RESENDS);
});
