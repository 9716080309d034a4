import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { MailKind } from "#contracts/mail/mail-kinds.ts";
import { mailKinds, RECIPIENT_CAP_A_DAY } from "#contracts/mail/mail-kinds.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { readEpoch } from "#event-store/store-log.ts";
import { forFile } from "#test-kit/for-file.ts";
import type { Mailer } from "./composition.ts";
import type { LeasedMail } from "./leases.ts";
import { OutboxStore } from "./outbox.store.ts";
import { openMailerFixture } from "./testing/mailer.fixture.ts";
import { startSmtpServer, type TestSmtpServer } from "./testing/smtp-server.ts";

const soon = { timeout: 50_000, interval: 20 };

const fixture = forFile(openMailerFixture);
let smtp: TestSmtpServer;
beforeEach(async () => {
  smtp = await startSmtpServer();
});
afterEach(async () => {
  await smtp.stop();
  await fixture.db.query("delete from outbox.mail");
});

async function verifications(count: number, reporterEmail: string): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const { event } = await fixture.report({ reporterEmail });
    await fixture.enqueue(event, "verification");
  }
}

/** Requests links again, each for a report whose own email is not sent. */
async function resends(count: number, reporterEmail: string): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const { stream } = await fixture.report({ reporterEmail });
    const link = { link_id: randomUUID(), expires_at: "2099-01-01T00:00:00.000Z" };
    const resent = { type: "ReportVerificationResent", data: { link } };
    const [event] = await fixture.append(stream, [resent]);
    await fixture.enqueue(event as StoredEvent, "verification");
  }
}

/** Creates reports that are approved right away, with the reporter's address confirmed or not. */
async function approvals(count: number, reporterEmail: string, verified: boolean): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const { stream, linkId } = await fixture.report({ reporterEmail });
    const events = await fixture.append(stream, [
      ...(verified ? [{ type: "ReportVerifiedByLink", data: { link_id: linkId } }] : []),
      { type: "ReportApproved", data: { from: "pending", verified } },
    ]);
    await fixture.enqueue(events.at(-1) as StoredEvent, "approved");
  }
}

/** Counts emails by outcome: "sent", or the reason why an email was dropped. */
async function outcomes(): Promise<Record<string, number>> {
  const { rows } = await fixture.db.query<{ outcome: string; n: number }>(
    `select coalesce(dropped_reason, state) as outcome, count(*)::int as n
     from outbox.mail group by 1`,
  );
  return Object.fromEntries(rows.map(({ outcome, n }) => [outcome, n]));
}
async function dropped(mailers: readonly Mailer[], reason: string): Promise<number> {
  let sum = 0;
  for (const { metrics } of mailers) {
    const found = await metrics.getSingleMetric("mailer_dropped_total")?.get();
    for (const { labels, value } of found?.values ?? []) if (labels.reason === reason) sum += value;
  }
  return sum;
}
async function withMailers(count: number, run: (mailers: readonly Mailer[]) => Promise<void>) {
  const options = { smtpUrl: smtp.url, sweepMs: 200 };
  const mailers: Mailer[] = [];
  for (let n = 0; n < count; n += 1) mailers.push(await fixture.startMailer(options));
  try {
    await run(mailers);
  } finally {
    await Promise.all(mailers.map((mailer) => mailer.stop()));
  }
}

describe("an unconfirmed address", { timeout: 120_000 }, () => {
  it("gets at most a day's emails of one kind from two mailers, however many are requested", async () => {
    const cap = mailKinds.verification.capADay;
    await verifications(cap + 12, "ann@shop.example");
    await verifications(1, "bob@shop.example");
    await withMailers(2, async (mailers) => {
      await expect.poll(outcomes, soon).toEqual({ sent: cap + 1, kind_cap: 12 });
      expect(await dropped(mailers, "kind_cap")).toBe(12);
    });
    expect(smtp.received.map(({ to }) => to).toSorted()).toEqual([
      ...Array.from({ length: cap }, () => "ann@shop.example"),
      "bob@shop.example",
    ]);
  });

  it("gets at most ten emails of all kinds, however it is spelled; the rest stay dropped", async () => {
    const { verification, approved } = mailKinds;
    expect(verification.capADay + approved.capADay).toBeGreaterThan(RECIPIENT_CAP_A_DAY);
    await verifications(verification.capADay - 1, "ann@shop.example");
    await verifications(1, "Ann+1@Shop.example");
    const left = RECIPIENT_CAP_A_DAY - verification.capADay;
    await withMailers(1, async (mailers) => {
      await expect.poll(outcomes, soon).toEqual({ sent: verification.capADay });
      await approvals(left + 2, "ann@shop.example", false);
      const ended = { sent: RECIPIENT_CAP_A_DAY, recipient_cap: 2 };
      await expect.poll(outcomes, soon).toEqual(ended);
      expect(await dropped(mailers, "recipient_cap")).toBe(2);
      // After a day new emails are allowed. Dropped ones stay dropped.
      await fixture.db.query("update outbox.mail set tried_at = tried_at - interval '1 day'");
      await approvals(1, "ann@shop.example", false);
      await expect.poll(outcomes, soon).toEqual({ ...ended, sent: RECIPIENT_CAP_A_DAY + 1 });
    });
    expect(smtp.received).toHaveLength(RECIPIENT_CAP_A_DAY + 1);
  });
});

it("sends a link that is requested again whatever others submitted, up to its own cap", {
  timeout: 120_000,
}, async () => {
  const { capADay: cap } = mailKinds.verification;
  await withMailers(1, async () => {
    await verifications(cap + 2, "ann@shop.example");
    // Emails in progress together are admitted in any order.
    await expect.poll(outcomes, soon).toEqual({ sent: cap, kind_cap: 2 });
    await approvals(RECIPIENT_CAP_A_DAY - cap + 1, "ann@shop.example", false);
    const full = { sent: RECIPIENT_CAP_A_DAY, kind_cap: 2, recipient_cap: 1 };
    await expect.poll(outcomes, soon).toEqual(full);
    await resends(1, "ann@shop.example");
    await expect.poll(outcomes, soon).toEqual({ ...full, sent: full.sent + 1 });
    await resends(cap, "ann@shop.example");
    const ended = { ...full, sent: full.sent + cap, kind_cap: full.kind_cap + 1 };
    await expect.poll(outcomes, soon).toEqual(ended);
  });
});

it("sends the owner of a confirmed address every decision, whatever others did to its caps", {
  timeout: 120_000,
}, async () => {
  await verifications(mailKinds.verification.capADay + 1, "ann@shop.example");
  await withMailers(1, async () => {
    const ended = { sent: mailKinds.verification.capADay, kind_cap: 1 };
    await expect.poll(outcomes, soon).toEqual(ended);
    await approvals(12, "ann@shop.example", true);
    await expect.poll(outcomes, soon).toEqual({ ...ended, sent: ended.sent + 12 });
    await approvals(RECIPIENT_CAP_A_DAY - ended.sent, "ann@shop.example", false);
    // The earlier emails did not count toward this cap.
    await expect.poll(outcomes, soon).toEqual({ sent: RECIPIENT_CAP_A_DAY + 12, kind_cap: 1 });
  });
});

describe("a recipient's count", () => {
  let outbox: OutboxStore;
  beforeAll(async () => {
    outbox = new OutboxStore(fixture.db, String(await readEpoch(fixture.store)));
  });
  async function leased(kind: MailKind = "verification"): Promise<LeasedMail> {
    const { event } = await fixture.report();
    return (await outbox.lease(await fixture.enqueue(event, kind))) as LeasedMail;
  }
  const admissions = async (count: number, kind?: MailKind) => {
    const found: string[] = [];
    for (let n = 0; n < count; n += 1) found.push(await outbox.admit(await leased(kind), "ann"));
    return found;
  };

  it("counts a retried email once", async () => {
    const first = await leased("pending");
    expect(await outbox.admit(first, "ann")).toBe("admitted");
    expect(await admissions(mailKinds.pending.capADay - 1, "pending")).not.toContain("kind_cap");
    expect(await outbox.admit(first, "ann")).toBe("admitted");
    expect(await admissions(1, "pending")).toEqual(["kind_cap"]);
  });

  it("counts emails of accounts that have ended since, for a day", async () => {
    const cap = mailKinds.pending.capADay;
    const ended = (hours: number) =>
      fixture.db.query(
        `insert into outbox.counted values
           ('ann', 'pending', now() - make_interval(hours => $1)), ('bob', 'pending', now())`,
        [hours],
      );
    await ended(25);
    for (let n = 1; n < cap; n += 1) await ended(23);
    expect(await admissions(2, "pending")).toEqual(["admitted", "kind_cap"]);
    expect(await admissions(1, "approved")).toEqual(["admitted"]);
    for (let n = 0; n < RECIPIENT_CAP_A_DAY; n += 1) await ended(1);
    expect(await admissions(1, "approved")).toEqual(["recipient_cap"]);
    await fixture.db.query("update outbox.counted set tried_at = tried_at - interval '1 day'");
    await outbox.sweep();
    expect((await fixture.db.query("select from outbox.counted")).rowCount).toBe(0);
  });

  it("counts a refused email, since it may have been seen", async () => {
    const cap = mailKinds.pending.capADay;
    for (let n = 0; n < cap; n += 1) {
      const mail = await leased("pending");
      await outbox.admit(mail, "ann");
      await outbox.dropped(mail, "undeliverable");
    }
    expect(await admissions(1, "pending")).toEqual(["kind_cap"]);
  });

  it("admits no email whose lease another worker took over", async () => {
    const mail = await leased();
    await fixture.db.query("update outbox.mail set leased_until = now() - interval '1 ms'");
    await outbox.lease(mail.id);
    expect(await outbox.admit(mail, "ann")).toBe("lost");
    expect(await outbox.admit(mail, undefined)).toBe("lost");
  });
});

describe("the outbox sweep", () => {
  it("removes emails 30 days after they were done, and their recipient after one day", async () => {
    const outbox = new OutboxStore(fixture.db, String(await readEpoch(fixture.store)));
    const rows = [
      ["old-sent", "sent", 40, 31, false],
      ["old-dropped", "dropped", 31, null, false],
      ["old-and-sent-lately", "sent", 40, 2, true],
      ["old-and-waiting", "queued", 40, 31, true],
      ["new", "sent", 0, 0, true],
    ] as const;
    for (const [id, state, createdDays, triedDays] of rows)
      await fixture.db.query(
        `insert into outbox.mail (id, kind, report_id, event_id, revision, position, epoch, state,
           sent_at, dropped_reason, created_at, tried_at, recipient)
         values ($1, 'pending', $2, $2, 0, '1', 'e', $3,
           case when $3 = 'sent' then now() end, case when $3 = 'dropped' then 'deleted' end,
           now() - make_interval(days => $4), now() - make_interval(days => $5), 'ann')`,
        [id, randomUUID(), state, createdDays, triedDays],
      );
    expect(await outbox.sweep()).toBe(2);
    const { rows: left } = await fixture.db.query(
      "select id, recipient from outbox.mail order by id",
    );
    expect(left).toEqual([
      { id: "new", recipient: "ann" },
      { id: "old-and-sent-lately", recipient: null },
      { id: "old-and-waiting", recipient: null },
    ]);
  });
});
