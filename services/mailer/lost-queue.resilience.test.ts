import { Redis } from "ioredis";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { noOwnRedis, type OwnRedis, startOwnRedis } from "#test-kit/redis-server.ts";
import type { Mailer } from "./composition.ts";
import { openMailerFixture } from "./testing/mailer.fixture.ts";
import { startSmtpServer, type TestSmtpServer } from "./testing/smtp-server.ts";
import { wipeJobs } from "./testing/wipe-jobs.ts";

const soon = { timeout: 50_000, interval: 20 };

const fixture = forFile(openMailerFixture);
let redis: OwnRedis;
let smtp: TestSmtpServer;
const running: Mailer[] = [];

beforeAll(async () => {
  if (noOwnRedis === undefined) redis = await startOwnRedis();
});
afterAll(async () => {
  await redis?.dispose();
});
beforeEach(async () => {
  smtp = await startSmtpServer();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((mailer) => mailer.stop()));
  await smtp.stop();
  await fixture.db.query("delete from outbox.mail");
});

/** Few emails at once, so that most of them wait in the queue when it is wiped. */
const MAILS_AT_ONCE = 4;

async function startMailer(jobsUrl: string): Promise<Mailer> {
  const mailer = await fixture.startMailer({
    jobsUrl,
    smtpUrl: smtp.url,
    sweepMs: 200,
    mailsAtOnce: MAILS_AT_ONCE,
  });
  running.push(mailer);
  return mailer;
}

async function enqueue(count: number): Promise<string[]> {
  const mails: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { event } = await fixture.report({ reporterEmail: `reporter-${n}@shop.example` });
    mails.push(await fixture.enqueue(event, "verification"));
  }
  return mails;
}

async function isReady({ checks }: Mailer): Promise<boolean> {
  const found = await Promise.all([checks.mails(), checks.deletions()]);
  return found.every(({ ok }) => ok);
}
const sent = async () => {
  const { rows } = await fixture.db.query("select id from outbox.mail where state = 'sent'");
  return rows.length;
};
const tries = async () => {
  const { rows } = await fixture.db.query("select sum(attempts)::int as n from outbox.mail");
  return rows[0].n;
};
const perReporter = () => Object.values(Object.groupBy(smtp.received, ({ to }) => to));

const stores = [
  {
    store: "PostgreSQL",
    skipped: undefined,
    url: () => fixture.url,
    wipe: () => wipeJobs(fixture.url, "its schema removed"),
  },
  {
    store: "Redis",
    skipped: noOwnRedis,
    url: () => redis.url,
    async wipe() {
      const client = new Redis(redis.url);
      await client.flushall();
      client.disconnect();
    },
  },
];

describe.each(stores)("emails whose jobs are on $store", ({ skipped, url, wipe }) => {
  it("are sent once each even if the jobs are wiped while they wait and while some are in progress", {
    timeout: 400_000,
  }, async ({ skip }) => {
    if (skipped) skip(skipped);
    const gate = Promise.withResolvers<"accept">();
    smtp.onRecipient = () => gate.promise;
    const mailers = [await startMailer(url()), await startMailer(url())];
    for (const mailer of mailers) await expect.poll(() => isReady(mailer), soon).toBe(true);
    await enqueue(20);
    await expect.poll(() => smtp.named.length, soon).toBeGreaterThanOrEqual(MAILS_AT_ONCE);
    await wipe();
    await enqueue(4);
    gate.resolve("accept");
    // More than the two mailers had in progress, so the queue exists again.
    await expect
      .poll(() => smtp.received.length, soon)
      .toBeGreaterThan(running.length * MAILS_AT_ONCE);
    await wipe();
    await expect.poll(sent, soon).toBe(24);
    expect(smtp.received).toHaveLength(24);
    expect(await tries()).toBe(24);
    expect(
      perReporter()
        .map((mails) => mails?.length)
        .sort(),
    ).toEqual(
      // The first four reporters submitted two reports each.
      [...Array.from({ length: 16 }, () => 1), ...Array.from({ length: 4 }, () => 2)],
    );
  });
});

describe("emails whose jobs are on a Redis server that goes down", () => {
  const test = (title: string, run: () => Promise<void>) =>
    it(title, { timeout: 120_000 }, async (context) => {
      if (noOwnRedis) context.skip(noOwnRedis);
      await run();
    });

  test("wait while readiness reports it, and are sent once each when it is back, empty", async () => {
    const mailer = await startMailer(redis.url);
    await expect.poll(() => isReady(mailer), soon).toBe(true);
    await redis.kill();
    await expect.poll(() => isReady(mailer), soon).toBe(false);
    expect(await mailer.checks.mails()).toMatchObject({ ok: false, detail: { jobs: false } });
    expect(await mailer.checks.deletions()).toEqual({ ok: true });
    await enqueue(5);
    await redis.start();
    await expect.poll(() => isReady(mailer), soon).toBe(true);
    await expect.poll(sent, soon).toBe(5);
    expect(smtp.received).toHaveLength(5);
    expect(await tries()).toBe(5);
  });

  test("are marked even if it goes down while they are in flight and the mailer stops", async () => {
    const gate = Promise.withResolvers<"accept">();
    smtp.onMessage = () => gate.promise;
    const mailer = await startMailer(redis.url);
    await enqueue(2);
    await expect.poll(() => smtp.received.length, soon).toBe(2);
    await redis.freeze();
    onTestFinished(() => redis.thaw());
    await expect.poll(() => isReady(mailer), soon).toBe(false);
    gate.resolve("accept");
    await expect.poll(sent, soon).toBe(2);
    await mailer.stop();
    running.length = 0;
    redis.thaw();
    const next = await startMailer(redis.url);
    const [last] = await enqueue(1);
    await expect.poll(async () => (await fixture.mail(last as string))?.state, soon).toBe("sent");
    await expect.poll(() => isReady(next), soon).toBe(true);
    expect(smtp.received).toHaveLength(3);
  });

  test("wait for it when it is down at the start", async () => {
    await redis.kill();
    const mailer = await startMailer(redis.url);
    await enqueue(1);
    expect(await isReady(mailer)).toBe(false);
    await redis.start();
    await expect.poll(sent, soon).toBe(1);
    await expect.poll(() => isReady(mailer), soon).toBe(true);
  });
});
