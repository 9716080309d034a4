import { setTimeout as delay } from "node:timers/promises";
import { Queue, Worker } from "bullmq";
import type { Redis, RedisOptions } from "ioredis";
import { MAILS_AT_ONCE } from "#runtime/config/variables.ts";
import { CannotStart } from "#runtime/lifecycle/explain-failure.ts";
import { openRedis } from "#runtime/redis/open-redis.ts";
import { createMailJobs, Handling, queueOptions, workerOptions } from "./bullmq-mail-jobs.ts";
import {
  JobsUnavailable,
  MAIL_QUEUE,
  type MailJob,
  type MailJobs,
  type MailJobsOptions,
} from "./port.ts";

const common = {
  connectTimeout: 5_000,
  disconnectTimeout: 200,
  // Longer than the worker waits for a job, so a connection silent for this long is dead.
  socketTimeout: 30_000,
  retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), 2_000),
  // A server that became a replica refuses writes. A new connection resolves the name again and
  // finds the new master.
  reconnectOnError: ({ message }) => message.startsWith("READONLY"),
} satisfies RedisOptions;

/** Time limit for an answer to the relay, in milliseconds. The relay never uses blocking commands. */
const ANSWER_LIMIT = 5_000;

/** A server's replies to a wrong or missing user or password. */
const LOGIN_REFUSED = /\b(WRONGPASS|NOAUTH|NOPERM)\b/;
/** How long the start waits for the reply to the login, in milliseconds. */
const LOGIN_LIMIT = 2_000;

const PREFIX = "registry:jobs";

/**
 * Opens the queue with one worker on Redis. The server need not be running. BullMQ requires a worker's
 * commands to wait for the server without a limit; the relay's commands fail immediately.
 * @throws {CannotStart} if the server refuses the user or password.
 */
export async function openRedisMailJobs(options: MailJobsOptions): Promise<MailJobs> {
  const { handle, onError, concurrency = MAILS_AT_ONCE, queue: name = MAIL_QUEUE } = options;
  const open = (more: Parameters<typeof openRedis>[1]) =>
    openRedis(options.url, { ...common, ...more });
  await tryLogin(open({ lazyConnect: true, retryStrategy: () => null }));
  const producer = open({
    socketTimeout: ANSWER_LIMIT,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
  });
  const consumer = open({ maxRetriesPerRequest: null });
  const clients = [producer, consumer];
  // The worker waits for jobs on a copy of its connection.
  const duplicate = consumer.duplicate.bind(consumer);
  consumer.duplicate = (override) => {
    const copy = duplicate(override);
    clients.push(copy);
    return copy;
  };
  for (const client of clients) client.on("error", onError);

  // BullMQ asks for the server's version only once, and would not ask again after a failure.
  const shared = { prefix: PREFIX, skipVersionCheck: true };
  const queue = new Queue<MailJob>(name, {
    ...shared,
    connection: producer,
    ...queueOptions,
  });
  const handling = new Handling(handle);
  const worker = new Worker<MailJob>(name, (job, token) => handling.take(job, token), {
    ...shared,
    ...workerOptions,
    concurrency,
    connection: consumer,
  });
  queue.on("error", onError);
  worker.on("error", onError);

  function demandConnection(): void {
    if (producer.status !== "ready") throw new JobsUnavailable("there is no connection to Redis");
  }
  const jobs = createMailJobs({
    queue: () => queue,
    worker,
    handling,
    onError,
    async isPaused() {
      demandConnection();
      return queue.isPaused();
    },
    remedy: `resume the queue or, on its server, delete the keys ${PREFIX}:${name}:*`,
    async disconnect() {
      for (const client of clients) end(client);
    },
  });
  return {
    ...jobs,
    async add(mailId) {
      demandConnection();
      await jobs.add(mailId);
    },
  };
}

/** Throws only if the server refuses the login, which waiting can't fix. It may be down or silent. */
async function tryLogin(client: Redis): Promise<void> {
  let refused: string | undefined;
  client.on("error", ({ message }: Error) => {
    refused ??= LOGIN_REFUSED.exec(message)?.[0];
  });
  const ended = client.connect().catch(() => undefined);
  await Promise.race([ended, delay(LOGIN_LIMIT, undefined, { ref: false })]);
  client.disconnect();
  if (refused)
    throw new CannotStart(
      `Redis rejected the connection (${refused}): check the user and password in JOBS_URL.`,
    );
}

/** Ends a connection and the commands that wait for it. `disconnect` alone leaves them waiting. */
function end(client: Redis): void {
  const { status } = client;
  client.disconnect();
  if (status === "reconnecting") client.connect().catch(() => undefined);
}
