import { Queue, Worker } from "bullmq";
import { Redis, type RedisOptions } from "ioredis";
import { createMailJobs, Handling, queueOptions, workerOptions } from "./bullmq-mail-jobs.ts";
import { JobsAway, MAIL_QUEUE, type MailJob, type MailJobs, type MailJobsOptions } from "./port.ts";

const common = {
  connectTimeout: 5_000,
  disconnectTimeout: 200,
  // Longer than the worker waits for a job: only a connection that is dead is silent for so long.
  socketTimeout: 30_000,
  retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), 2_000),
  // A server that became a replica refuses writes: resolve the name again to find the new master.
  reconnectOnError: ({ message }) => message.startsWith("READONLY"),
} satisfies RedisOptions;

/** Milliseconds in which the server answers the relay, which never blocks there. */
const ANSWER_LIMIT = 5_000;

/** Keys of the queue begin with this. */
const PREFIX = "registry:jobs";

/**
 * The queue and one worker of it, on a Redis server, which need not be there when this is called.
 * BullMQ demands that a worker's commands wait for the server for ever; the relay's fail at once.
 */
export async function openRedisMailJobs(options: MailJobsOptions): Promise<MailJobs> {
  const { url, handle, onError, queue: name = MAIL_QUEUE } = options;
  const producer = new Redis(url, {
    ...common,
    socketTimeout: ANSWER_LIMIT,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
  });
  const consumer = new Redis(url, { ...common, maxRetriesPerRequest: null });
  const clients = [producer, consumer];
  // The worker waits for jobs on a copy of its connection.
  const duplicate = consumer.duplicate.bind(consumer);
  consumer.duplicate = (override) => {
    const copy = duplicate(override);
    clients.push(copy);
    return copy;
  };
  for (const client of clients) client.on("error", onError);

  // The question for the version is the one thing that BullMQ asks once and never again.
  const shared = { prefix: PREFIX, skipVersionCheck: true };
  const queue = new Queue<MailJob>(name, {
    ...shared,
    connection: producer,
    ...queueOptions,
  });
  const handling = new Handling(handle);
  const worker = new Worker<MailJob>(name, ({ data }) => handling.take(data), {
    ...shared,
    ...workerOptions,
    connection: consumer,
  });
  queue.on("error", onError);
  worker.on("error", onError);

  function demandConnection(): void {
    if (producer.status !== "ready") throw new JobsAway("there is no connection to Redis");
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

/** Ends a connection, and the commands that wait for one: alone, `disconnect` leaves them waiting. */
function end(client: Redis): void {
  const { status } = client;
  client.disconnect();
  if (status === "reconnecting") client.connect().catch(() => undefined);
}
