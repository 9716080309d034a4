/** The content of a job: ids only. */
export interface MailJob {
  readonly mailId: string;
}

/** @returns `later` when it can't be done yet: the queue hands it out again after 250 ms, at most 15 s. */
export type HandleMailJob = (job: MailJob) => Promise<"done" | "later">;

/** State that a queue reports about itself. */
export interface QueueState {
  /** Whether it is paused: it then accepts jobs but hands none out. */
  readonly isPaused: boolean;
}

/** Port: the queue of due emails, with one worker. It may lose jobs but never invents any. */
export interface MailJobs {
  /** Adds a job unless the queue already holds it. @throws {JobsUnavailable} within seconds. */
  add(mailId: string): Promise<void>;
  /** Starts taking jobs, and keeps going after errors. */
  run(): void;
  /** Checks that the queue answers. @throws {JobsUnavailable} within about two seconds. */
  check(): Promise<QueueState>;
  /** How an operator can empty a stuck queue. Due emails are queued again afterward. */
  readonly remedy: string;
  /** Stops taking jobs, waits for running ones, and closes the queue even if it is unreachable. */
  close(): Promise<void>;
}

export interface MailJobsOptions {
  readonly url: string;
  /** Does the work. Its errors go to `onError`, and the job is removed. */
  readonly handle: HandleMailJob;
  readonly onError: (error: unknown) => void;
  /** On PostgreSQL, the maximum number of connections for the queue and for its worker; 2 when absent. */
  readonly maxConnections?: number;
  /** Jobs that are handed out at once; `MAILS_AT_ONCE` of the variables when absent. */
  readonly concurrency?: number;
  /** Name of the queue, the same for all mailers of a system. */
  readonly queue?: string;
}

export type OpenMailJobs = (options: MailJobsOptions) => Promise<MailJobs>;

export const MAIL_QUEUE = "mail";

/** The queue is unreachable or did not answer in time. */
export class JobsUnavailable extends Error {
  override readonly name = "JobsAway";
}
