import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { subjects } from "#contracts/sealed.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { forFile } from "#test-kit/for-file.ts";
import type { Mailer } from "./composition.ts";
import { type OnError, openMailerFixture, type TestReport } from "./testing/mailer.fixture.ts";
import { startSmtpServer, type TestSmtpServer } from "./testing/smtp-server.ts";

const soon = { timeout: 25_000, interval: 20 };
const patient = { connectMs: 20_000, answerMs: 20_000, mailMs: 30_000 };
/** Short limits for servers that never answer, so that tests need not wait. */
const hurried = { ...patient, answerMs: 2_000 };

const fixture = forFile(openMailerFixture);
let smtp: TestSmtpServer;
const running: Mailer[] = [];

beforeEach(async () => {
  smtp = await startSmtpServer();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((mailer) => mailer.stop()));
  await smtp.stop();
  await fixture.db.query("delete from outbox.mail");
});

async function startMailer(smtpLimits = patient, onError?: OnError): Promise<Mailer> {
  const options = { smtpUrl: smtp.url, smtpLimits, sweepMs: 200 };
  const mailer = await fixture.startMailer(options, onError);
  running.push(mailer);
  return mailer;
}

interface Waiting {
  readonly report: TestReport;
  readonly mailId: string;
  readonly to: string;
}

/** Adds due emails, each to a different address. */
async function enqueue(...names: string[]): Promise<Waiting[]> {
  const waiting: Waiting[] = [];
  for (const name of names) {
    const to = `${name}@shop.example`;
    const report = await fixture.report({ reporterEmail: to });
    waiting.push({ report, to, mailId: await fixture.enqueue(report.event, "verification") });
  }
  return waiting;
}

const states = (mails: readonly Waiting[]) =>
  Promise.all(mails.map(async ({ mailId }) => (await fixture.mail(mailId))?.state));
/** Makes pending retries due. @returns the emails' states after them. */
async function retriedStates(mails: readonly Waiting[]) {
  await fixture.letRetriesCome();
  return states(mails);
}
const all = (mails: readonly Waiting[], state: string) => mails.map(() => state);
const failures = (mails: readonly Waiting[]) =>
  Promise.all(mails.map(async ({ mailId }) => (await fixture.mail(mailId))?.last_error !== null));
const addresses = (mails: readonly { to: string }[]) => mails.map(({ to }) => to).sort();
async function metric(mailer: Mailer, name: string, labels: object = {}): Promise<number> {
  const found = await mailer.metrics.getSingleMetric(name)?.get();
  const wanted = JSON.stringify(labels);
  return found?.values.find((value) => JSON.stringify(value.labels) === wanted)?.value ?? 0;
}
const retried = (mailer: Mailer, reason: string) =>
  metric(mailer, "mailer_retried_total", { reason });

describe("emails through an SMTP server", { timeout: 120_000 }, () => {
  it("wait while it is down, even at the start, and are sent once each when it is up", async () => {
    await smtp.stop();
    const mailer = await startMailer();
    const mails = await enqueue("ann", "bob", "cleo", "dan", "eve", "finn");
    await expect.poll(() => failures(mails), soon).toEqual(mails.map(() => true));
    expect((await mailer.checks.mails()).detail).toMatchObject({ queued: 6, failing: 6 });
    await smtp.start();
    await expect.poll(() => retriedStates(mails), soon).toEqual(all(mails, "sent"));
    expect(addresses(smtp.received)).toEqual(addresses(mails));
    expect(await retried(mailer, "lease_ended")).toBe(0);
    expect(await retried(mailer, "unanswered")).toBe(0);
  });

  it("do not hold each other up when it hangs on some of them", async () => {
    const hangs = (to: string) => to.startsWith("hang");
    smtp.onRecipient = (to) => (hangs(to) ? "hang" : "accept");
    const mailer = await startMailer(hurried);
    const mails = await enqueue("hang-1", "hang-2", "hang-3", "hang-4", "hang-5", "ann", "bob");
    const [stuck, others] = [mails.slice(0, 5), mails.slice(5)];
    await expect.poll(() => states(others), soon).toEqual(all(others, "sent"));
    await expect.poll(() => failures(stuck), soon).toEqual(stuck.map(() => true));
    expect(await states(stuck)).toEqual(all(stuck, "queued"));
    smtp.onRecipient = () => "accept";
    await expect.poll(() => retriedStates(stuck), soon).toEqual(all(stuck, "sent"));
    expect(addresses(smtp.received)).toEqual(addresses(mails));
    // The server never got the message, so none of these can have gone out before.
    expect(await retried(mailer, "unanswered")).toBe(0);
  });

  it("are not sent twice when it is slow to accept them", async () => {
    const gate = Promise.withResolvers<"accept">();
    smtp.onMessage = () => gate.promise;
    await startMailer();
    const mails = await enqueue("ann", "bob");
    await expect.poll(() => smtp.received, soon).toHaveLength(2);
    gate.resolve("accept");
    await expect.poll(() => states(mails), soon).toEqual(all(mails, "sent"));
    expect(addresses(smtp.received)).toEqual(addresses(mails));
  });

  it.each([
    ["stays silent", "hang"],
    ["disconnects", "drop"],
  ] as const)(
    "are retried under the same id, and counted, when it has them and %s",
    async (_how, answer) => {
      smtp.onMessage = () => {
        smtp.onMessage = () => "accept";
        return answer;
      };
      const mailer = await startMailer(hurried);
      const [mail] = (await enqueue("ann")) as [Waiting];
      await expect.poll(() => retried(mailer, "unanswered"), soon).toBe(1);
      await expect.poll(() => failures([mail]), soon).toEqual([true]);
      await expect.poll(() => retriedStates([mail]), soon).toEqual(["sent"]);
      const ids = smtp.received.map(({ messageId }) => messageId);
      expect(ids).toEqual([
        `<${mail.mailId}@registry.example>`,
        `<${mail.mailId}@registry.example>`,
      ]);
      expect(await retried(mailer, "unanswered")).toBe(1);
    },
  );

  it.each([
    ["the recipient", 550],
    ["the message", 554],
  ])("are dropped when it permanently refuses %s, and the others are sent", async (what, code) => {
    const refuse = (to: string) => (to.startsWith("gone") ? { code } : ("accept" as const));
    if (code === 550) smtp.onRecipient = refuse;
    else smtp.onMessage = ({ to }) => refuse(to);
    const mailer = await startMailer();
    const mails = await enqueue("ann", `gone-${code}`, "bob");
    const [ann, gone, bob] = mails as [Waiting, Waiting, Waiting];
    await expect.poll(() => states(mails), soon).toEqual(["sent", "dropped", "sent"]);
    expect((await fixture.mail(gone.mailId))?.dropped_reason).toBe("undeliverable");
    const taken = smtp.received.filter(({ to }) => what === "the recipient" || to !== gone.to);
    expect(addresses(taken)).toEqual(addresses([ann, bob]));
    const reason = { reason: "undeliverable" };
    expect(await metric(mailer, "mailer_dropped_total", reason)).toBe(1);
  });

  it("wait when it refuses a recipient temporarily, or the sender in any way", async () => {
    smtp.onRecipient = () => ({ code: 450 });
    const mailer = await startMailer();
    const greylisted = await enqueue("ann");
    await expect.poll(() => failures(greylisted), soon).toEqual([true]);
    smtp.onRecipient = () => "accept";
    smtp.onSender = () => ({ code: 550 });
    const refused = await enqueue("bob");
    await expect.poll(() => failures(refused), soon).toEqual([true]);
    smtp.onSender = () => "accept";
    const mails = [...greylisted, ...refused];
    expect(await states(mails)).toEqual(all(mails, "queued"));
    await expect.poll(() => retriedStates(mails), soon).toEqual(all(mails, "sent"));
    expect(await retried(mailer, "unanswered")).toBe(0);
  });

  it("leave no trace when their report is erased while they are in flight", async () => {
    const gate = Promise.withResolvers<"accept">();
    smtp.onMessage = () => gate.promise;
    const mailer = await startMailer();
    const [mail] = (await enqueue("secret-canary")) as [Waiting];
    await expect.poll(() => smtp.received, soon).toHaveLength(1);
    await fixture.eraseReport(mail.report);
    gate.resolve("accept");
    await expect.poll(() => metric(mailer, "mailer_overtaken_total"), soon).toBe(1);
    expect(await fixture.mail(mail.mailId)).toBeUndefined();
    expect(await fixture.tablesWith("secret-canary")).toEqual([]);
    // BullMQ lists the names of recent jobs, which are event ids and not personal data.
    const holding = async () =>
      (await fixture.tablesWith(mail.mailId)).filter((name) => name !== "jobs.event");
    await expect.poll(holding, soon).toEqual([]);
    expect(smtp.received).toHaveLength(1);
  });

  it("leave no trace of quoted text that is masked while they are in flight", async () => {
    const gate = Promise.withResolvers<"accept">();
    smtp.onMessage = () => gate.promise;
    const mailer = await startMailer();
    const { id, stream, linkId } = await fixture.report({ title: "About secret-canary" });
    const [, approved] = await fixture.append(stream, [
      { type: "ReportVerifiedByLink", data: { link_id: linkId } },
      { type: "ReportApproved", data: { from: "pending", verified: true } },
    ]);
    const mailId = await fixture.enqueue(approved as StoredEvent, "approved");
    await expect.poll(() => smtp.received, soon).toHaveLength(1);
    expect(smtp.received[0]?.text).toContain("About secret-canary");
    const masked = { fields: ["title"], keys: [subjects.text(id, 0)] };
    await fixture.append(stream, [
      {
        type: "ReportTextMasked",
        data: { ...masked, personal: { set: { title: "About ****" } } },
      },
    ]);
    gate.resolve("accept");
    await expect.poll(() => metric(mailer, "mailer_overtaken_total"), soon).toBe(1);
    expect((await fixture.mail(mailId))?.state).toBe("sent");
    expect(await fixture.tablesWith("secret-canary")).toEqual([]);
  });

  it("are not sent for a report that was erased while they waited", async () => {
    await smtp.stop();
    const mailer = await startMailer();
    const mails = await enqueue("ann", "bob");
    const [ann] = mails as [Waiting, Waiting];
    await expect.poll(() => failures(mails), soon).toEqual([true, true]);
    await fixture.eraseReport(ann.report);
    await smtp.start();
    await expect.poll(() => retriedStates(mails), soon).toEqual([undefined, "sent"]);
    expect(smtp.named).toEqual(["bob@shop.example"]);
    expect(await metric(mailer, "mailer_overtaken_total")).toBe(0);
  });

  it("are counted when their worker died between sending and marking", async () => {
    const [mail] = (await enqueue("ann")) as [Waiting];
    await fixture.db.query(
      `update outbox.mail set lease = 'of a worker that was killed', attempts = 1,
         leased_until = now() - interval '1 second' where id = $1`,
      [mail.mailId],
    );
    const mailer = await startMailer();
    await expect.poll(() => states([mail]), soon).toEqual(["sent"]);
    expect(await retried(mailer, "lease_ended")).toBe(1);
    expect(smtp.received).toHaveLength(1);
  });

  it("are not treated as failed when they were sent but not marked", async () => {
    const [mail] = (await enqueue("ann")) as [Waiting];
    await fixture.db.query(`
      create function outbox.refuse() returns trigger language plpgsql
        as $$ begin raise exception 'not now'; end $$;
      create trigger refuse_mark before update on outbox.mail for each row
        when (new.state = 'sent') execute function outbox.refuse();`);
    const errors: unknown[] = [];
    onTestFinished(async () => {
      await fixture.db.query("drop function if exists outbox.refuse cascade");
    });
    const mailer = await startMailer(patient, (fields) => errors.push(fields));
    await expect.poll(() => errors, soon).toHaveLength(1);
    expect(errors[0]).toMatchObject({ job: mail.mailId });
    expect(await fixture.mail(mail.mailId)).toMatchObject({ state: "queued", last_error: null });
    expect(await metric(mailer, "mailer_sent_total", { kind: "verification" })).toBe(1);
    await fixture.db.query("drop function outbox.refuse cascade");
    await fixture.db.query("update outbox.mail set leased_until = now() - interval '1 second'");
    await expect.poll(() => states([mail]), soon).toEqual(["sent"]);
    expect(smtp.received).toHaveLength(2);
    expect(await retried(mailer, "lease_ended")).toBe(1);
  });

  it("are marked on a retry when marking fails, and sent once", async () => {
    const [mail] = (await enqueue("ann")) as [Waiting];
    await fixture.db.query(`
      create sequence outbox.tries;
      create function outbox.refuse_first() returns trigger language plpgsql
        as $$ begin
          if nextval('outbox.tries') = 1 then raise exception 'not now'; end if;
          return new;
        end $$;
      create trigger refuse_mark before update on outbox.mail for each row
        when (new.state = 'sent') execute function outbox.refuse_first();`);
    onTestFinished(async () => {
      await fixture.db.query(
        "drop function outbox.refuse_first cascade; drop sequence outbox.tries",
      );
    });
    await startMailer();
    await expect.poll(() => states([mail]), soon).toEqual(["sent"]);
    expect(await fixture.mail(mail.mailId)).toMatchObject({ attempts: 1 });
    expect(smtp.received).toHaveLength(1);
  });

  it("announce no outdated status, and never a previous one last", async () => {
    const { stream } = await fixture.report({ reporterEmail: "ann@shop.example" });
    const to = (type: string, from: string, reason?: string) => ({
      type,
      data: { from, verified: false, ...(reason ? { personal: { reason } } : {}) },
    });
    async function decide(...events: ReturnType<typeof to>[]): Promise<string> {
      const [event] = await fixture.append(stream, events);
      const kind = event?.type === "ReportApproved" ? "approved" : "rejected";
      return fixture.enqueue(event as StoredEvent, kind);
    }
    const stateOf = async (id: string) => (await fixture.mail(id))?.state;

    // The server defers the first email, and the report is rejected in the meantime.
    smtp.onRecipient = () => ({ code: 451 });
    const mailer = await startMailer();
    const approved = await decide(to("ReportApproved", "pending"));
    await expect.poll(async () => (await fixture.mail(approved))?.last_error, soon).not.toBeNull();
    smtp.onRecipient = () => "accept";
    const rejected = await decide(to("ReportRejected", "approved", "x"));
    await expect.poll(() => stateOf(rejected), soon).toBe("sent");
    await fixture.letRetriesCome();
    await expect.poll(() => stateOf(approved), soon).toBe("dropped");
    expect((await fixture.mail(approved))?.dropped_reason).toBe("superseded");
    expect(await metric(mailer, "mailer_dropped_total", { reason: "superseded" })).toBe(1);

    // The server delays its answer to the next email, and the one after that must not overtake it.
    const gate = Promise.withResolvers<"accept">();
    smtp.onMessage = () => gate.promise;
    const again = await decide(to("ReportApproved", "rejected"));
    await expect.poll(() => smtp.received, soon).toHaveLength(2);
    const last = await decide(to("ReportRejected", "approved", "y"));
    // Another report's email overtakes both, so the mailers had enough time to send this one.
    const [other] = (await enqueue("bob")) as [Waiting];
    await expect.poll(() => smtp.named, soon).toContain(other.to);
    expect(smtp.named.filter((address) => address === "ann@shop.example")).toHaveLength(3);
    gate.resolve("accept");
    await expect.poll(() => stateOf(last), soon).toBe("sent");
    expect(await stateOf(again)).toBe("sent");
    const told = smtp.received
      .filter(({ to: address }) => address === "ann@shop.example")
      .map(({ text }) => (text.includes("We approved") ? "approved" : "rejected"));
    expect(told).toEqual(["rejected", "approved", "rejected"]);
  });

  it("are aborted when the process stops, and retried after the next start", async () => {
    smtp.onRecipient = () => "hang";
    const hour = 3_600_000;
    const mailer = await startMailer({ ...patient, answerMs: hour, mailMs: hour });
    const mails = await enqueue("ann");
    await expect.poll(() => smtp.named, soon).toHaveLength(1);
    await mailer.stop();
    running.length = 0;
    expect(await failures(mails)).toEqual([true]);
    smtp.onRecipient = () => "accept";
    const next = await startMailer();
    await expect.poll(() => retriedStates(mails), soon).toEqual(["sent"]);
    expect(smtp.received).toHaveLength(1);
    expect(await retried(next, "lease_ended")).toBe(0);
  });
});
