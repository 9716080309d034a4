import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { OWN_REPORT } from "#contracts/report/reporter-rules.ts";
import { forFile } from "#test-kit/for-file.ts";
import { chargeback, startCommandApi } from "../testing/command-api.fixture.ts";
import { submit } from "../testing/reports.fixture.ts";

const fixture = forFile(() => startCommandApi({ publicUrl: "https://registry.test" }));

/** The email that a submitted report asks for, as the outbox has it. @returns its id. */
async function verificationOf(report: string): Promise<string> {
  const { rows } = await fixture.db.query<{ id: string }>(
    "select id::text from event_log.event where stream = $1 and revision = 0",
    [`report-${report}`],
  );
  const event = rows[0]?.id;
  const id = `mail-${event}`;
  await fixture.db.query(
    `insert into outbox.mail (id, kind, report_id, event_id, revision, position, epoch)
     values ($1, 'verification', $2, $3, 0, '1', 'e')`,
    [id, report, event],
  );
  return id;
}
const read = (id: string, options: { as?: "admin" | "user" | "auditor"; key?: string } = {}) =>
  fixture.call("POST", `/prod/api/admin/mails/${id}/read`, { body: {}, as: "admin", ...options });
async function looks(id: string) {
  const { rows } = await fixture.db.query<{ data: object; metadata: object }>(
    "select data, metadata from event_log.event where type = 'MailViewed' and data ->> 'mail_id' = $1",
    [id],
  );
  return rows;
}

it("shows what an email says without its links, each time after the log says who reads it", async () => {
  const id = await verificationOf(await submit(fixture));
  const key = randomUUID();
  for (const times of [1, 2]) {
    const answer = await read(id, { key });
    expect(answer.statusCode, answer.body).toBe(200);
    const { subject, text } = answer.json().data;
    expect(subject).not.toBe("");
    expect(text).toContain("[link hidden]");
    expect(text).not.toContain("https://registry.test/verify-email/");
    expect(await looks(id)).toHaveLength(times);
  }
  expect(await looks(id)).toMatchObject([
    {
      data: { mail_id: id, kind: "verification" },
      metadata: { actor: { role: "admin" }, command: "ReadMail" },
    },
    {},
  ]);
});

it("shows nothing of an email about a report that concerns the reader", async () => {
  const names = { first_name: "Dana", last_name: "Ruiz" };
  const id = await verificationOf(await submit(fixture, { ...chargeback, ...names }));
  const answer = await read(id);
  expect([answer.statusCode, answer.json().error.message]).toEqual([403, OWN_REPORT]);
  expect(await looks(id)).toEqual([]);
});

it("knows no email that the outbox does not have", async () => {
  const id = `mail-${randomUUID()}`;
  expect((await read(id)).statusCode).toBe(404);
  expect(await looks(id)).toEqual([]);
});
