import type { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { createPostgresBackend, withBackend } from "bullmq";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { MAILS_AT_ONCE } from "#runtime/config/variables.ts";
import { DatabaseClient, poolConfig } from "#runtime/db/pool.ts";
import { createMailJobs, Handling, queueOptions, workerOptions } from "./bullmq-mail-jobs.ts";
import { MAIL_QUEUE, type MailJob, type MailJobs, type MailJobsOptions } from "./port.ts";

/** Schema of the queue's tables, in the read models' database. */
const SCHEMA = "jobs";

/** Time limit of each of BullMQ's statements, in milliseconds. */
const STATEMENT_MS = 5_000;

/** The relay adds again what the queue loses in a crash, so no commit waits for the disk. */
const settings = ["set synchronous_commit = off"];

/** SQLSTATEs of a missing table, function or schema. */
const REMOVED = new Set(["42P01", "42883", "3F000"]);

const isRemoved = (error: unknown) => REMOVED.has(String((error as { code?: unknown }).code));

/** Opens the queue with one worker on PostgreSQL. Creates its tables, and recreates them if they are removed. */
export async function openPostgresMailJobs(options: MailJobsOptions): Promise<MailJobs> {
  const { url, handle, onError, concurrency = MAILS_AT_ONCE } = options;
  const { queue: name = MAIL_QUEUE, maxConnections: max = 2 } = options;
  const { Queue, Worker } = withBackend(createSteadyBackend);
  const connection = {
    ...omitUndefined(
      poolConfig({ url, name: "mailer queue", max, statementMs: STATEMENT_MS, settings }),
    ),
    // For the connection that waits for jobs, which BullMQ opens outside the pool.
    query_timeout: STATEMENT_MS,
    schema: SCHEMA,
    migrate: true,
  };

  async function openQueue() {
    const opened = new Queue<MailJob>(name, { connection, ...queueOptions });
    opened.on("error", onError);
    try {
      await opened.waitUntilReady();
    } catch (error) {
      await opened.close();
      throw error;
    }
    return opened;
  }

  let queue = await openQueue();
  let making: Promise<void> | undefined;
  function makeAgain(): Promise<void> {
    making ??= (async () => {
      const removed = queue;
      queue = await openQueue();
      await removed.close();
    })().finally(() => {
      making = undefined;
    });
    return making;
  }
  const handling = new Handling(handle);
  const worker = new Worker<MailJob>(name, (job, token) => handling.take(job, token), {
    connection,
    ...workerOptions,
    concurrency,
  });
  worker.on("error", (error) => {
    onError(error);
    if (isRemoved(error)) makeAgain().catch(onError);
  });
  const jobs = createMailJobs({
    queue: () => queue,
    worker,
    handling,
    onError,
    isPaused: () => queue.isPaused(),
    remedy: `resume the queue or, in its database, drop schema ${SCHEMA} cascade`,
    disconnect: () => worker.getBackend().close(),
  });
  return {
    ...jobs,
    async add(mailId) {
      try {
        await jobs.add(mailId);
      } catch (error) {
        if (!isRemoved(error)) throw error;
        await makeAgain();
        await jobs.add(mailId);
      }
    },
  };
}

/** Milliseconds before a failed connection is reported. */
const PAUSE_MS = 1_000;

/**
 * BullMQ's backend on PostgreSQL with three faults corrected.
 *
 * The connection that waits for jobs gets its error listener only after it is connected, so an error in the
 * same packet ends the process.
 *
 * Before BullMQ closes that connection, it removes all its listeners. If the server stops at that moment,
 * the connection emits an unhandled error event, which ends the process.
 *
 * BullMQ also caches the result of its first connect. If that fails, a worker retries in a tight loop that
 * blocks the process. Here each failure is delayed, and the next call connects again.
 */
export const createSteadyBackend: typeof createPostgresBackend = (...args) => {
  const backend = createPostgresBackend(...args);
  const { connection } = backend;
  Reflect.set(connection, "pgModule", { Client: DatabaseClient });
  const getListenClient = connection.getListenClient.bind(connection);
  connection.getListenClient = async () => {
    const client = await getListenClient();
    keepListening(client as unknown as EventEmitter);
    return client;
  };
  const waitUntilReady = connection.waitUntilReady.bind(connection);
  connection.waitUntilReady = async () => {
    try {
      await waitUntilReady();
    } catch (error) {
      await delay(PAUSE_MS);
      Reflect.set(connection, "readyPromise", undefined);
      throw error;
    }
  };
  return backend;
};

function keepListening(client: EventEmitter): void {
  if (Object.hasOwn(client, "removeAllListeners")) return;
  const removeAllListeners = client.removeAllListeners.bind(client);
  client.removeAllListeners = (...args) => {
    removeAllListeners(...args);
    return client.on("error", () => undefined);
  };
}
