import { randomUUID } from "node:crypto";
import { createPostgresBackend, Queue, withBackend } from "bullmq";
import { Redis } from "ioredis";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createWorkerService } from "#http/worker-service.ts";
import { forFile } from "#test-kit/for-file.ts";
import { noOwnRedis, type OwnRedis, startOwnRedis } from "#test-kit/redis-server.ts";
import type { Mailer } from "./composition.ts";
import { MAIL_QUEUE } from "./jobs/port.ts";
import { openMailerFixture } from "./testing/mailer.fixture.ts";
import { startSmtpServer, type TestSmtpServer } from "./testing/smtp-server.ts";
import { wipeJobs } from "./testing/wipe-jobs.ts";

const soon = { timeout: 50_000, interval: 20 };

const fixture = forFile(openMailerFixture);
let smtp: TestSmtpServer;
let redis: OwnRedis;
const running: Mailer[] = [];

beforeAll(async () => {
  smtp = await startSmtpServer();
  if (noOwnRedis === undefined) redis = await startOwnRedis();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((mailer) => mailer.stop()));
  await fixture.db.query("delete from outbox.mail");
});
afterAll(async () => {
  await redis?.dispose();
  await smtp?.stop();
});

/** Starts a mailer in its own process, and queries it as an operator would. */
async function startMailer(jobsUrl: string) {
  const mailer = await fixture.startMailer({
    jobsUrl,
    smtpUrl: smtp.url,
    sweepMs: 200,
    stallMs: 1_000,
  });
  running.push(mailer);
  const log = pino({ level: "silent" });
  const { checks } = mailer;
  const app = await createWorkerService({ name: "mailer", version: "1.0.0", log, checks });
  onTestFinished(() => app.close());
  const readyz = async () => {
    const reply = await app.inject("/readyz");
    const { mails } = reply.json().checks;
    return { status: reply.statusCode, code: mails.detail.code, cause: mails.detail.cause };
  };
  const ready = { status: 200, code: undefined, cause: undefined };
  await expect.poll(readyz, soon).toEqual(ready);
  return { readyz, ready };
}

async function enqueue(): Promise<string> {
  const { event } = await fixture.report({ reporterEmail: `${randomUUID()}@shop.example` });
  return fixture.enqueue(event, "verification");
}
const stateOf = async (mail: string) => (await fixture.mail(mail))?.state;

async function onRedis(work: (client: Redis) => Promise<unknown>): Promise<void> {
  const client = new Redis(redis.url);
  try {
    await work(client);
  } finally {
    client.disconnect();
  }
}

const stores = [
  {
    store: "PostgreSQL",
    skipped: undefined,
    url: () => fixture.url,
    queue() {
      const { Queue: PostgresQueue } = withBackend(createPostgresBackend);
      const connection = { connectionString: fixture.url, schema: "jobs" };
      return new PostgresQueue(MAIL_QUEUE, { connection });
    },
    // Puts new jobs where no worker reads them.
    overwrite: () =>
      fixture.db.query(`
        create function jobs.misplace() returns trigger language plpgsql
          as $$ begin new.state := 'waiting-children'; return new; end $$;
        create trigger misplace before insert or update on jobs.job
          for each row execute function jobs.misplace();`),
    remedy: "drop schema jobs cascade",
    empty: () => wipeJobs(fixture.url, "its schema removed"),
  },
  {
    store: "Redis",
    skipped: noOwnRedis,
    url: () => redis.url,
    queue: () => new Queue(MAIL_QUEUE, { prefix: "registry:jobs", connection: { url: redis.url } }),
    overwrite: () => onRedis((client) => client.set("registry:jobs:mail:wait", "overwritten")),
    remedy: "delete the keys registry:jobs:mail:*",
    empty: () => onRedis(async (client) => client.del(await client.keys("registry:jobs:mail:*"))),
  },
];

describe.each(stores)("/readyz of a mailer whose queue is on $store", (given) => {
  const test = (title: string, run: () => Promise<void>) =>
    it(title, { timeout: 120_000 }, async (context) => {
      if (given.skipped) context.skip(given.skipped);
      await run();
    });

  test("reports a paused queue, and becomes ready when it is resumed", async () => {
    const { readyz, ready } = await startMailer(given.url());
    const queue = given.queue();
    onTestFinished(() => queue.close());
    await queue.pause();
    const mail = await enqueue();
    await expect.poll(readyz, soon).toEqual({
      status: 503,
      code: "queue_paused",
      cause: expect.stringMatching(/^the email queue is paused: resume the queue or, .*lost\)$/),
    });
    expect(await stateOf(mail)).toBe("queued");
    await queue.resume();
    await expect.poll(() => stateOf(mail), soon).toBe("sent");
    await expect.poll(readyz, soon).toEqual(ready);
  });

  test("names a remedy for a paused queue that needs no extra program", async () => {
    const { readyz, ready } = await startMailer(given.url());
    const queue = given.queue();
    await queue.pause();
    await queue.close();
    const mail = await enqueue();
    await expect.poll(async () => (await readyz()).cause, soon).toContain(given.remedy);
    await given.empty();
    await expect.poll(() => stateOf(mail), soon).toBe("sent");
    await expect.poll(readyz, soon).toEqual(ready);
  });

  test("reports a stall after the queue was overwritten, until the remedy is applied", async () => {
    const { readyz, ready } = await startMailer(given.url());
    await given.overwrite();
    const mail = await enqueue();
    await expect.poll(readyz, soon).toEqual({
      status: 503,
      code: "queue_stalled",
      cause: expect.stringMatching(
        /^emails have been due for \d+ seconds, but the queue isn't sending any: resume/,
      ),
    });
    expect(await stateOf(mail)).toBe("queued");
    await given.empty();
    await expect.poll(() => stateOf(mail), soon).toBe("sent");
    await expect.poll(readyz, soon).toEqual(ready);
  });
});
