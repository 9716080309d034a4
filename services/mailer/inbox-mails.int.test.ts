import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { caseNumber } from "#contracts/inquiry/inquiry-forms.ts";
import { INBOX_MAILS_PER_HOUR } from "#contracts/mail/mail-kinds.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { forFile } from "#test-kit/for-file.ts";
import type { Mailer } from "./composition.ts";
import { openMailerFixture } from "./testing/mailer.fixture.ts";
import { startSmtpServer, type TestSmtpServer } from "./testing/smtp-server.ts";

const soon = { timeout: 40_000, interval: 20 };
const SUPPORT = "support@registry.example";
const SALES = "sales@registry.example";

const fixture = forFile(openMailerFixture);
let smtp: TestSmtpServer;
const errors: Record<string, unknown>[] = [];
beforeEach(async () => {
  smtp = await startSmtpServer();
  errors.splice(0);
});
afterEach(async () => {
  await smtp.stop();
  await fixture.db.query("delete from outbox.mail");
});

const sender = { name: "Canary Ann", email: "ann@acme.example", answers: [] };

/** Creates inquiries or notices, each with its email to the inbox. @returns their ids. */
async function arrive(count: number, kind: "enterprise" | "takedown"): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const id = randomUUID();
    const isNotice = kind === "takedown";
    const stream = (isNotice ? streams.notice : streams.inquiry)(id);
    const type = isNotice ? "NoticeReceived" : "InquiryReceived";
    const [event] = await fixture.append(stream, [{ type, data: { kind, sender } }]);
    await fixture.enqueue(
      event as StoredEvent,
      isNotice ? "notice_for_inbox" : "inquiry_for_inbox",
    );
    ids.push(id);
  }
  return ids;
}

/** Creates reports whose owners ask for the RESOLVED banner, each with its email to the inbox. */
async function ask(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { id, stream } = await fixture.report();
    const of = { request_id: randomUUID(), file_id: randomUUID(), terms_version: "1" };
    const fee = { amount_cents: 25_000, currency: "USD" };
    const [event] = await fixture.append(stream, [
      { type: "ResolutionRequested", data: { ...of, ...fee } },
    ]);
    await fixture.enqueue(event as StoredEvent, "resolution_for_inbox");
    ids.push(id);
  }
  return ids;
}

async function start(): Promise<Mailer> {
  const options = { smtpUrl: smtp.url, sweepMs: 200, salesEmail: SALES };
  const mailer = await fixture.startMailer(options, (line) => errors.push(line));
  onTestFinished(() => mailer.stop());
  return mailer;
}

/** Counts emails that are being sent, or were just refused and are not marked as refused yet. */
async function inHand(): Promise<number> {
  const { rows } = await fixture.db.query(
    "select count(*)::int as n from outbox.mail where state = 'queued' and lease is not null",
  );
  return rows[0].n;
}

/** Counts the rows by outcome. */
async function outcomes(): Promise<Record<string, number>> {
  const { rows } = await fixture.db.query<{ outcome: string; n: number }>(
    `select case when state = 'queued' and held_at is not null then 'held'
       else coalesce(dropped_reason, state) end as outcome, count(*)::int as n
     from outbox.mail group by 1`,
  );
  return Object.fromEntries(rows.map(({ outcome, n }) => [outcome, n]));
}

/** Moves the outbox's clock forward by an hour. */
async function anHourLater(): Promise<void> {
  await fixture.db.query(
    `update outbox.mail set tried_at = tried_at - interval '1 hour',
       next_attempt_at = next_attempt_at - interval '1 hour'`,
  );
}

const alarms = () => errors.filter(({ code }) => String(code).startsWith("inbox_mail"));

describe("the inbox, when strangers flood the forms", { timeout: 120_000 }, () => {
  it("gets a capped number of emails an hour from two mailers; a digest covers the rest", async () => {
    const beyond = 25;
    const ids = await arrive(INBOX_MAILS_PER_HOUR + beyond, "takedown");
    const mailers = [await start(), await start()];
    await expect.poll(outcomes, soon).toEqual({ sent: INBOX_MAILS_PER_HOUR, held: beyond });
    expect(smtp.received).toHaveLength(INBOX_MAILS_PER_HOUR);
    // Later ones in the same hour join the held ones; other inboxes and kinds are not held up.
    const late = await arrive(2, "takedown");
    await arrive(1, "enterprise");
    await ask(1);
    await expect
      .poll(outcomes, soon)
      .toEqual({ sent: INBOX_MAILS_PER_HOUR + 2, held: beyond + late.length });
    expect(smtp.received.map(({ to }) => to)).toContain(SALES);
    for (const { checks } of mailers)
      expect(await checks.inbox_mails()).toEqual({
        ok: true,
        detail: { held: beyond + late.length, failing: 0, dropped: 0 },
      });
    await anHourLater();
    const all = ids.length + late.length + 2;
    await expect.poll(outcomes, soon).toEqual({ sent: all });
    const [digest, ...others] = smtp.received.slice(INBOX_MAILS_PER_HOUR + 2);
    expect(others).toEqual([]);
    expect(digest?.to).toBe(SUPPORT);
    expect(digest?.text).toContain(`${beyond + late.length} more notices`);
    expect(digest?.text).toContain("npm run inquiry -- list");
    expect(digest?.text).not.toMatch(/canary|ann@/i);
    // Each number was sent once, in its own email or in the digest.
    const told = smtp.received.flatMap(({ text }) => [
      ...new Set(text.match(/N-[0-9A-F]{5}-[0-9A-F]{5}/g)),
    ]);
    const numbers = [...ids, ...late].map((id) => caseNumber("takedown", id));
    expect(told.toSorted()).toEqual(numbers.toSorted());
    // The digest counts too: new ones are sent one by one again.
    await arrive(1, "takedown");
    await expect.poll(outcomes, soon).toEqual({ sent: all + 1 });
  });

  it("gets a digest with a hundred numbers and the total count", async () => {
    const ids = await ask(INBOX_MAILS_PER_HOUR + 103);
    await start();
    await expect.poll(outcomes, soon).toEqual({ sent: INBOX_MAILS_PER_HOUR, held: 103 });
    await anHourLater();
    await expect.poll(outcomes, soon).toEqual({ sent: ids.length });
    const digest = smtp.received.at(-1)?.text ?? "";
    expect(digest).toContain("103 more requests for the RESOLVED banner");
    expect(digest).toContain("And 3 more.");
    expect(digest.match(/R-[0-9A-F]{5}-[0-9A-F]{5}/g)).toHaveLength(100);
    expect(digest).toContain("http://registry.example/admin/");
  });

  it("is not held up by an email that was erased while it waited", async () => {
    const ids = await arrive(INBOX_MAILS_PER_HOUR + 3, "takedown");
    await start();
    await expect.poll(outcomes, soon).toEqual({ sent: INBOX_MAILS_PER_HOUR, held: 3 });
    const { rows } = await fixture.db.query(
      `delete from outbox.mail where id = (select min(id) from outbox.mail where held_at is not null)
       returning inquiry_id`,
    );
    await anHourLater();
    await expect.poll(outcomes, soon).toEqual({ sent: ids.length - 1 });
    const digest = smtp.received.at(-1)?.text;
    expect(digest).toContain("2 more notices");
    expect(digest).not.toContain(caseNumber("takedown", rows[0].inquiry_id));
  });
});

describe("an inbox that the mail server refuses", { timeout: 120_000 }, () => {
  const refuse = { code: 550 } as const;

  it("raises one logged alarm, and gets everything once the server accepts it again", async () => {
    smtp.onRecipient = (to) => (to === SUPPORT ? refuse : "accept");
    const mailer = await start();
    await arrive(2, "takedown");
    await expect.poll(async () => (await mailer.checks.inbox_mails()).ok, soon).toBe(false);
    await expect
      .poll(async () => (await mailer.checks.inbox_mails()).detail, soon)
      .toMatchObject({ code: "inbox_mail_unsent", failing: 2, dropped: 0 });
    await fixture.letRetriesCome();
    await expect.poll(outcomes, soon).toEqual({ queued: 2 });
    await arrive(1, "enterprise");
    await expect.poll(outcomes, soon).toEqual({ queued: 2, sent: 1 });
    // Trying another email of the kind does not end the alarm.
    const tried = smtp.named.length;
    await fixture.letRetriesCome();
    await expect.poll(() => smtp.named.length, soon).toBe(tried + 2);
    // A refusal marked after the retries were triggered would postpone its email again.
    await expect.poll(inHand, soon).toBe(0);
    expect(alarms()).toMatchObject([{ code: "inbox_mail_unsent", kind: "notice_for_inbox" }]);
    expect(JSON.stringify(alarms())).not.toMatch(/support@|ann@/);
    smtp.onRecipient = () => "accept";
    await fixture.letRetriesCome();
    await expect.poll(outcomes, soon).toEqual({ sent: 3 });
    expect((await mailer.checks.inbox_mails()).ok).toBe(true);
  });

  it("raises an alarm for a day after an email was given up", async () => {
    smtp.onRecipient = () => refuse;
    const mailer = await start();
    await arrive(1, "takedown");
    await fixture.db.query("update outbox.mail set attempts = 13");
    await fixture.letRetriesCome();
    await expect.poll(outcomes, soon).toEqual({ undeliverable: 1 });
    const { ok, detail } = await mailer.checks.inbox_mails();
    expect([ok, detail?.code, detail?.dropped]).toEqual([false, "inbox_mail_dropped", 1]);
    await fixture.db.query("update outbox.mail set dropped_at = dropped_at - interval '1 day'");
    expect((await mailer.checks.inbox_mails()).ok).toBe(true);
  });

  it("raises no alarm for one failed attempt or for emails to others", async () => {
    smtp.onRecipient = () => ({ code: 450 });
    const mailer = await start();
    await arrive(1, "takedown");
    const { rows } = await fixture.db.query("select id from outbox.mail");
    const failed = async () => (await fixture.mail(rows[0].id))?.last_error !== null;
    await expect.poll(failed, soon).toBe(true);
    expect((await mailer.checks.inbox_mails()).ok).toBe(true);
    expect(alarms()).toEqual([]);
    for (const _ of [2, 3]) {
      const { attempts = 0 } = (await fixture.mail(rows[0].id)) ?? {};
      await fixture.letRetriesCome();
      const next = async () => (await fixture.mail(rows[0].id))?.attempts;
      await expect.poll(next, soon).toBeGreaterThan(attempts);
    }
    await expect.poll(async () => (await mailer.checks.inbox_mails()).ok, soon).toBe(false);
    await expect.poll(alarms, soon).toHaveLength(1);
  });
});
