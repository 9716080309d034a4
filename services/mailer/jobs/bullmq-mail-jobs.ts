import { setTimeout as delay } from "node:timers/promises";
import type { Queue, Worker } from "bullmq";
import { withDeadline } from "#runtime/lifecycle/deadline.ts";
import { JobsAway, type MailJob, type MailJobs } from "./port.ts";

/** Time limit for adding a job, in milliseconds. Adding it again does no harm. */
const ADD_LIMIT = 5_000;
/** Below the two seconds that readiness gives a check. */
const CHECK_LIMIT = 1_500;
/** How long a connection may take to close cleanly, in milliseconds. */
const CLOSE_LIMIT = 1_000;
const RESTART_MS = 1_000;

/** Nothing reads BullMQ's event list, which holds the ids of jobs, so it is kept short. */
export const queueOptions = { streams: { events: { maxLen: 10 } } };

/** Settings of BullMQ's worker that both backends share. */
export const workerOptions = {
  concurrency: 4,
  autorun: false,
  /** Milliseconds between retries after an error. */
  runRetryDelay: 1_000,
  // The jobs of a dead worker are released after two checks without its lock. If the worker is
  // merely slow, nothing is lost: another worker finds the mail leased.
  lockDuration: 5_000,
  stalledInterval: 2_500,
  // Finished jobs are not kept: nobody could add a job with the same id again.
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
};

/** What a backend provides. */
export interface MailJobsParts {
  readonly queue: () => Pick<Queue<MailJob>, "add" | "close">;
  readonly worker: Pick<Worker<MailJob>, "run" | "close">;
  readonly handling: Handling;
  readonly onError: (error: unknown) => void;
  /** Asks the backend, so it also checks that the backend answers. */
  isPaused(): Promise<boolean>;
  readonly remedy: string;
  /** Breaks the remaining connections. */
  disconnect(): Promise<unknown>;
}

/** Jobs in progress. BullMQ loses track of them when its connection is lost. */
export class Handling {
  readonly #handle: (job: MailJob) => Promise<void>;
  readonly #atWork = new Set<Promise<void>>();

  constructor(handle: (job: MailJob) => Promise<void>) {
    this.#handle = handle;
  }

  async take(job: MailJob): Promise<void> {
    const work = this.#handle(job);
    this.#atWork.add(work);
    try {
      await work;
    } finally {
      this.#atWork.delete(work);
    }
  }

  async ended(): Promise<void> {
    await Promise.allSettled(this.#atWork);
  }
}

/** The part of the queue that is the same for all backends. */
export function createMailJobs(parts: MailJobsParts): MailJobs {
  const { queue, worker, handling, onError, remedy } = parts;
  const ending = new AbortController();
  let running: Promise<void> | undefined;

  const within = <T>(work: Promise<T>, ms: number) =>
    withDeadline(work, ms, () => new JobsAway("the mail queue does not answer"));
  const settled = (work: Promise<unknown>) => within(work, CLOSE_LIMIT).catch(() => undefined);

  async function runAgainAndAgain(): Promise<void> {
    const { signal } = ending;
    while (!signal.aborted) {
      await worker.run().catch(onError);
      await delay(RESTART_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    async add(mailId) {
      await within(queue().add("send", { mailId }, { jobId: mailId }), ADD_LIMIT);
    },
    run() {
      running ??= runAgainAndAgain();
    },
    async check() {
      return { isPaused: await within(parts.isPaused(), CHECK_LIMIT) };
    },
    remedy,
    async close() {
      ending.abort();
      const closing = worker.close().catch(() => undefined);
      await handling.ended();
      await settled(closing);
      // If the backend is reachable this is already done. If not, it ends requests that still wait.
      await settled(Promise.allSettled([queue().close(), parts.disconnect()]));
      await settled(Promise.all([closing, running]));
    },
  };
}
