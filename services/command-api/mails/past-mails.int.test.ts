import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { caseNumber } from "#contracts/inquiry/inquiry-forms.ts";
import type { MailKind } from "#contracts/mail/mail-kinds.ts";
import { OWN_REPORT } from "#contracts/report/reporter-rules.ts";
import { forFile } from "#test-kit/for-file.ts";
import { newEnvelope, systemCaller } from "../kernel/envelope.ts";
import { chargeback, startCommandApi } from "../testing/command-api.fixture.ts";
import { approveBySystem, submit } from "../testing/reports.fixture.ts";

const fixture = forFile(() => startCommandApi({ publicUrl: "https://registry.test" }));

/** Adds the outbox row of an email for the last event of a type. @returns its ID. */
async function mailOf(kind: MailKind, stream: string, type: string): Promise<string> {
  const { rows } = await fixture.db.query<{ id: string; revision: number }>(
    "select id::text, revision from event_log.event where stream = $1 and type = $2",
    [stream, type],
  );
  const { id: event, revision } = rows.at(-1) ?? {};
  const id = `mail-${event}-${kind}`;
  const column = stream.startsWith("report-") ? "report_id" : "inquiry_id";
  await fixture.db.query(
    `insert into outbox.mail (id, kind, ${column}, event_id, revision, position, epoch)
     values ($1, $2, $3, $4, $5, '1', $6)`,
    [id, kind, stream.slice(stream.indexOf("-") + 1), event, revision, fixture.api.epoch],
  );
  return id;
}
const verificationOf = (report: string) =>
  mailOf("verification", `report-${report}`, "ReportSubmitted");
const read = (id: string, options: { as?: "admin" | "user" | "auditor"; key?: string } = {}) =>
  fixture.call("POST", `/prod/api/admin/mails/${id}/read`, { body: {}, as: "admin", ...options });
async function looks(id: string) {
  const { rows } = await fixture.db.query<{ data: object; metadata: object }>(
    "select data, metadata from event_log.event where type = 'MailViewed' and data ->> 'mail_id' = $1",
    [id],
  );
  return rows;
}

it("shows an email's text without its links, after logging who reads it, each time", async () => {
  const report = await submit(fixture);
  const id = await verificationOf(report);
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
      data: { mail_id: id, kind: "verification", owner: "report", owner_id: report },
      metadata: { actor: { role: "admin" }, command: "ReadMail" },
    },
    {},
  ]);
});

it("shows no email about a report that concerns the reader", async () => {
  const names = { first_name: "Dana", last_name: "Ruiz" };
  const id = await verificationOf(await submit(fixture, { ...chargeback, ...names }));
  const answer = await read(id);
  expect([answer.statusCode, answer.json().error.message]).toEqual([403, OWN_REPORT]);
  expect(await looks(id)).toEqual([]);
});

const sender = { name: "Canary-name", email: "canary@owner.example" };
const signed = { ...sender, address: "Canary-street 1", signature: "Canary-name" };
const consent = { good_faith: "yes", accuracy: "yes", mistake: "yes", jurisdiction: "yes" };
const bySystem = () => newEnvelope(systemCaller(new Date().toISOString()));

/** Sends a form. @returns its ID. */
async function sent(kind: "takedown" | "counter_notice" | "law_enforcement"): Promise<string> {
  const answers = { ...signed, ...consent, work: "Canary-work", reason: "Canary-reason" };
  const { number } = await fixture.api.inquiries.send(kind, answers, bySystem());
  const digits = number.slice(2).replace("-", "").toLowerCase();
  const [found] = await fixture.api.known.withDigits(digits);
  return found?.id ?? "";
}
const typesOf = (stream: string) => fixture.types(stream);

it.each([
  ["notice", "takedown", "NoticeReceived", "NoticeViewed"],
  ["inquiry", "law_enforcement", "InquiryReceived", "InquiryViewed"],
] as const)(
  "records in the history of the %s that its content was read",
  async (family, form, received, viewed) => {
    const stream = `${family}-${await sent(form)}`;
    const told = await read(await mailOf(`${family}_received`, stream, received));
    expect(told.statusCode, told.body).toBe(200);
    expect(await typesOf(stream)).toEqual([received]);
    const answer = await read(await mailOf(`${family}_for_inbox`, stream, received));
    expect(answer.json().data.text).toContain("Canary-name");
    expect(await typesOf(stream)).toEqual([received, viewed]);
  },
);

it("shows no email about a notice whose report concerns the reader, or about its counter-notice", async () => {
  const report_id = await submit(fixture, { ...chargeback, first_name: "Dana", last_name: "Ruiz" });
  await approveBySystem(fixture, report_id);
  const [notice, counter] = [await sent("takedown"), await sent("counter_notice")];
  const { noticeModeration } = fixture.api;
  await noticeModeration.link(notice, { report_id, revision: 0 }, bySystem());
  await noticeModeration.takeDown(notice, { revision: 1 }, bySystem());
  const number = { notice: caseNumber("takedown", notice), revision: 0 };
  await noticeModeration.passOn(counter, number, bySystem());
  const asked = [
    ["notice_for_inbox", notice, "NoticeReceived"],
    ["notice_granted", notice, "NoticeGranted"],
    ["notice_countered", notice, "NoticeCountered"],
    ["notice_for_inbox", counter, "NoticeReceived"],
    ["counter_notice_passed_on", counter, "CounterNoticeLinked"],
  ] as const;
  for (const [kind, of, type] of asked) {
    const id = await mailOf(kind, `notice-${of}`, type);
    const answer = await read(id);
    expect([kind, answer.statusCode, answer.json().error?.message]).toEqual([
      kind,
      403,
      OWN_REPORT,
    ]);
    expect(await looks(id)).toEqual([]);
  }
  for (const of of [notice, counter])
    expect(await typesOf(`notice-${of}`)).not.toContain("NoticeViewed");
});

it("shows no email that was written from another log", async () => {
  const stream = `notice-${await sent("takedown")}`;
  const id = await mailOf("notice_for_inbox", stream, "NoticeReceived");
  await fixture.db.query("update outbox.mail set epoch = 'earlier' where id = $1", [id]);
  expect((await read(id)).json().data).toEqual({ gone: "superseded" });
  expect(await looks(id)).toHaveLength(1);
  expect(await typesOf(stream)).toEqual(["NoticeReceived"]);
});

it("finds no email that isn't in the outbox", async () => {
  const id = `mail-${randomUUID()}`;
  expect((await read(id)).statusCode).toBe(404);
  expect(await looks(id)).toEqual([]);
});
