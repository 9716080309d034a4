import { DelayedError, type Job, type Queue, type Worker } from "bullmq";
import { withDeadline } from "#runtime/lifecycle/lifecycle.ts";
import { Periodic } from "#runtime/lifecycle/periodic.ts";
import { type HandleMailJob, JobsUnavailable, type MailJob, type MailJobs } from "./port.ts";

/** Time limit for adding a job, in milliseconds. Adding it again does no harm. */
const ADD_LIMIT = 5_000;
/** Below the two seconds that readiness gives a check. */
const CHECK_LIMIT = 1_500;
/** How long a connection may take to close cleanly, in milliseconds. */
const CLOSE_LIMIT = 1_000;
const RESTART_MS = 1_000;
/** Delay before a job that must wait is handed out again, in milliseconds; doubles each time. */
const LATER_MS = { first: 250, most: 15_000 };

/** Nothing reads BullMQ's event list, which holds the ids of jobs, so it is kept short. */
export const queueOptions = { streams: { events: { maxLen: 10 } } };

/** Settings of BullMQ's worker that both backends share. */
export const workerOptions = {
  autorun: false,
  /** Milliseconds between retries after an error. */
  runRetryDelay: 1_000,
  // The jobs of a dead worker are released after two checks without its lock. If the worker is
  // merely slow, nothing is lost: another worker finds the email leased.
  lockDuration: 5_000,
  stalledInterval: 2_500,
  // Finished jobs are not kept: no one could add a job with the same id again.
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
};

/** What a backend provides. */
export interface MailJobsParts {
  readonly queue: () => Pick<Queue<MailJob>, "add" | "close">;
  readonly worker: Pick<Worker<MailJob>, "run" | "close">;
  readonly handling: Handling;
  readonly onError: (error: unknown) => void;
  /** Asks the backend, which also proves that it answers. */
  isPaused(): Promise<boolean>;
  readonly remedy: string;
  /** Breaks any remaining connections. */
  disconnect(): Promise<unknown>;
}

type TakenJob = Pick<Job<MailJob>, "data" | "attemptsStarted" | "moveToDelayed">;

/** Jobs in progress. BullMQ loses track of them when its connection is lost. */
export class Handling {
  readonly #handle: HandleMailJob;
  readonly #atWork = new Set<Promise<void>>();

  constructor(handle: HandleMailJob) {
    this.#handle = handle;
  }

  /** @param token BullMQ's, which lets only the job's worker move it. @throws {DelayedError} if the job must wait. */
  async take(job: TakenJob, token?: string): Promise<void> {
    const work = this.#takeOrDelay(job, token);
    this.#atWork.add(work);
    try {
      await work;
    } finally {
      this.#atWork.delete(work);
    }
  }

  async #takeOrDelay(job: TakenJob, token: string | undefined): Promise<void> {
    if ((await this.#handle(job.data)) === "done") return;
    const ms = Math.min(LATER_MS.first * 2 ** (job.attemptsStarted - 1), LATER_MS.most);
    await job.moveToDelayed(Date.now() + ms, token);
    throw new DelayedError();
  }

  async ended(): Promise<void> {
    await Promise.allSettled(this.#atWork);
  }
}

/** The part of the queue that is the same for all backends. */
export function createMailJobs(parts: MailJobsParts): MailJobs {
  const { queue, worker, handling, onError, remedy } = parts;
  const runs = new Periodic(() => worker.run(), { everyMs: RESTART_MS, onError });

  const within = <T>(work: Promise<T>, ms: number) =>
    withDeadline(work, ms, () => new JobsUnavailable("the email queue is not responding"));
  const settled = (work: Promise<unknown>) => within(work, CLOSE_LIMIT).catch(() => undefined);

  return {
    async add(mailId) {
      await within(queue().add("send", { mailId }, { jobId: mailId }), ADD_LIMIT);
    },
    run() {
      runs.start();
    },
    async check() {
      return { isPaused: await within(parts.isPaused(), CHECK_LIMIT) };
    },
    remedy,
    async close() {
      const ended = runs.stop();
      const closing = worker.close().catch(() => undefined);
      await handling.ended();
      await settled(closing);
      // Already done if the backend is reachable. If not, this ends requests that still wait.
      await settled(Promise.allSettled([queue().close(), parts.disconnect()]));
      await settled(Promise.all([closing, ended]));
    },
  };
}
