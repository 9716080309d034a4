import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { StoredEvent } from "#event-store/port.ts";
import { readEpoch } from "#event-store/store-log.ts";
import { freshDatabase } from "#test-kit/database.ts";
import { forFile } from "#test-kit/for-file.ts";
import type { LeasedMail } from "./leases.ts";
import { OutboxStore } from "./outbox.store.ts";
import { openMailerFixture } from "./testing/mailer.fixture.ts";
import { startSmtpServer } from "./testing/smtp-server.ts";

const soon = { timeout: 50_000, interval: 20 };

const fixture = forFile(openMailerFixture);
beforeEach(async () => {
  await fixture.db.query("delete from outbox.mail");
});

async function enqueue(reporterEmail = "rae@shop.example"): Promise<string> {
  const { event } = await fixture.report({ reporterEmail });
  return fixture.enqueue(event, "verification");
}

describe("an email in the outbox", () => {
  let outbox: OutboxStore;
  beforeAll(async () => {
    outbox = new OutboxStore(fixture.db, String(await readEpoch(fixture.store)));
  });
  const lease = async (id: string) => (await outbox.lease(id)) as LeasedMail;
  const change = (id: string, set: string) =>
    fixture.db.query(`update outbox.mail set ${set} where id = $1`, [id]);

  it("cannot be claimed while leased, and goes to the next worker once the lease expires", async () => {
    const id = await enqueue();
    expect(await outbox.due(10)).toEqual([id]);
    expect(await lease(id)).toMatchObject({ id, attempts: 1, isTakenOver: false });
    expect([await outbox.due(10), await outbox.lease(id)]).toEqual([[], undefined]);
    await change(id, "leased_until = now() - interval '1 ms'");
    expect(await outbox.due(10)).toEqual([id]);
    expect(await lease(id)).toMatchObject({ attempts: 2, isTakenOver: true });
  });

  it("cannot be claimed once done, while awaiting a retry, or in another epoch", async () => {
    const sent = await lease(await enqueue());
    await outbox.sent(sent);
    const dropped = await lease(await enqueue());
    await outbox.dropped(dropped, "deleted");
    const waits = await lease(await enqueue());
    expect(await outbox.failed(waits, "Error")).toBe("waits");
    const restored = await enqueue();
    await change(restored, `epoch = '${randomUUID()}'`);
    for (const id of [sent.id, dropped.id, waits.id, restored])
      expect(await outbox.lease(id)).toBeUndefined();
    expect(await outbox.due(10)).toEqual([]);
    await change(waits.id, "next_attempt_at = now()");
    expect(await lease(waits.id)).toMatchObject({ attempts: 2, isTakenOver: false });
  });

  it("waits while another email about the same report is in flight, even under concurrent claims", async () => {
    const { event } = await fixture.report();
    const mails = [await fixture.enqueue(event, "verification")];
    const { stream } = event;
    const [next] = await fixture.append(stream, [
      { type: "ReportApproved", data: { from: "pending", verified: false } },
    ]);
    mails.push(await fixture.enqueue(next as StoredEvent, "approved"));
    for (let round = 0; round < 10; round += 1) {
      const asked = [...mails, ...mails].map((id) => outbox.lease(id));
      const leases = await Promise.all(asked);
      const held = leases.filter((each) => each !== undefined && each !== "held_up");
      expect(held).toHaveLength(1);
      // Both callers that asked for the other email are told to retry.
      expect(leases.filter((each) => each === "held_up")).toHaveLength(2);
      expect(await outbox.due(10)).toEqual([]);
      await outbox.failed(held[0] as LeasedMail, "Error");
      expect(await outbox.due(10)).toHaveLength(1);
      await fixture.letRetriesCome();
    }
  });

  it("counts as untouched until a worker tries it, whatever the result", async () => {
    const mails = [await enqueue(), await enqueue(), await enqueue()] as [string, string, string];
    const first = await outbox.waiting(undefined);
    expect(first).toMatchObject({ due: 3, untouched: 3, isAtWork: false });
    const restored = await enqueue();
    await change(restored, `epoch = '${randomUUID()}'`);
    await enqueue();
    const since = async () => {
      const { due, untouched, isAtWork } = await outbox.waiting(first.at);
      return { due, untouched, isAtWork };
    };
    expect(await since()).toEqual({ due: 4, untouched: 3, isAtWork: false });
    const held = await lease(mails[0]);
    expect(await since()).toEqual({ due: 3, untouched: 2, isAtWork: true });
    await outbox.failed(held, "Error");
    expect(await since()).toEqual({ due: 3, untouched: 2, isAtWork: false });
    await change(held.id, "next_attempt_at = now()");
    expect(await since()).toEqual({ due: 4, untouched: 2, isAtWork: false });
    await outbox.sent(await lease(mails[1]));
    expect(await since()).toEqual({ due: 3, untouched: 1, isAtWork: false });
    // As after a worker was killed: its lease has expired.
    await lease(mails[2]);
    await change(mails[2], "leased_until = now() - interval '1 ms'");
    expect(await since()).toEqual({ due: 3, untouched: 0, isAtWork: false });
  });

  it("cannot be marked by a previous holder of the lease", async () => {
    const former = await lease(await enqueue());
    await change(former.id, "leased_until = now() - interval '1 ms'");
    const present = await lease(former.id);
    await outbox.sent(former);
    await outbox.dropped(former, "deleted");
    await outbox.failed(former, "Error");
    expect(await fixture.mail(former.id)).toMatchObject({ state: "queued", last_error: null });
    await outbox.sent(present);
    expect(await fixture.mail(former.id)).toMatchObject({ state: "sent" });
  });
});

it("sends an email soon after the one of the same report that held it up", async () => {
  const smtp = await startSmtpServer();
  const { event, stream } = await fixture.report();
  const link = { link_id: randomUUID(), expires_at: "2099-01-01T00:00:00.000Z" };
  const [resent] = await fixture.append(stream, [
    { type: "ReportVerificationResent", data: { link } },
  ]);
  const mails = [event, resent as StoredEvent];
  // Both are due when the mailer starts, and it hands out several at once.
  for (const mail of mails) await fixture.enqueue(mail, "verification");
  smtp.onMessage = async () => {
    if (smtp.received.length === 1) await delay(1_000);
    return "accept" as const;
  };
  const mailer = await fixture.startMailer({ smtpUrl: smtp.url });
  try {
    await expect.poll(() => smtp.received.length, { ...soon, timeout: 10_000 }).toBe(2);
  } finally {
    await mailer.stop();
    await smtp.stop();
  }
}, 60_000);

it("sends emails once even if two queues deliver each of them", {
  timeout: 120_000,
}, async () => {
  const smtp = await startSmtpServer();
  const gate = Promise.withResolvers<"accept">();
  smtp.onRecipient = () => gate.promise;
  const reporters = Array.from({ length: 8 }, (_, n) => `reporter-${n}@shop.example`);
  // All emails are due when the first mailer starts, and its own queue hands out each of them.
  for (const reporter of reporters) await enqueue(reporter);
  const other = await freshDatabase();
  const mailers = [fixture.url, other.url].map((jobsUrl) =>
    fixture.startMailer({ jobsUrl, smtpUrl: smtp.url }),
  );
  const rows = async () => {
    const found = await fixture.db.query("select state, attempts from outbox.mail");
    return found.rows;
  };
  try {
    await Promise.all(mailers);
    await expect.poll(() => smtp.named.length, soon).toBe(8);
    expect(smtp.named.toSorted()).toEqual(reporters);
    gate.resolve("accept");
    await expect
      .poll(async () => (await rows()).map(({ state }) => state), soon)
      .toEqual(reporters.map(() => "sent"));
  } finally {
    gate.resolve("accept");
    for (const mailer of await Promise.all(mailers)) await mailer.stop();
    await smtp.stop();
    await other.drop();
  }
  expect(smtp.received.map(({ to }) => to).sort()).toEqual(reporters);
  expect(await rows()).toEqual(reporters.map(() => ({ state: "sent", attempts: 1 })));
});
