/** What goes over the queue: ids only. */
export interface MailJob {
  readonly mailId: string;
}

/** What a queue says of itself. */
export interface QueueState {
  /** Paused: it accepts jobs and hands none out. */
  readonly isPaused: boolean;
}

/** Port: the queue of mails that are due, and one worker of it. It may lose jobs, never add any. */
export interface MailJobs {
  /**
   * Puts a job into the queue, unless it is there already.
   * @throws {JobsAway} within seconds.
   */
  add(mailId: string): Promise<void>;
  /** Starts taking jobs, and resumes after every error. */
  run(): void;
  /**
   * Pings the queue.
   * @throws {JobsAway} within a second or two.
   */
  check(): Promise<QueueState>;
  /** How an operator empties a queue that is stuck; due mails are queued again. */
  readonly remedy: string;
  /** Stops taking jobs, waits for running ones, and closes the queue, reachable or not. */
  close(): Promise<void>;
}

export interface MailJobsOptions {
  readonly url: string;
  /** Does the work; its errors go to `onError`, and the job is removed. */
  readonly handle: (job: MailJob) => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** Connections at most of the queue and of its worker each, on PostgreSQL; 2 when absent. */
  readonly maxConnections?: number;
  /** Name of the queue; all mailers of a system have the same. */
  readonly queue?: string;
}

export type OpenMailJobs = (options: MailJobsOptions) => Promise<MailJobs>;

export const MAIL_QUEUE = "mail";

/** The queue cannot be reached, or did not answer in time. */
export class JobsAway extends Error {
  override readonly name = "JobsAway";
}
