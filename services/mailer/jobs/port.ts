/** What goes over the queue: ids only. */
export interface MailJob {
  readonly mailId: string;
}

/** What a queue says of itself. */
export interface QueueState {
  /** Somebody paused it: it takes jobs and gives none out. */
  readonly isPaused: boolean;
}

/** Port: the queue of mails that are due, and one worker of it. It may lose jobs, never add any. */
export interface MailJobs {
  /**
   * Puts a job into the queue, unless it is there already.
   * @throws {JobsAway} within seconds.
   */
  add(mailId: string): Promise<void>;
  /** Begins to take jobs, and goes on after every disturbance. */
  run(): void;
  /** Asks the queue for an answer. @throws {JobsAway} within a second or two. */
  check(): Promise<QueueState>;
  /** How an operator empties a queue that gives nothing out; mails that are due are put there again. */
  readonly remedy: string;
  /** Takes no more jobs, waits for those at work, and lets go of the queue, in reach or not. */
  close(): Promise<void>;
}

export interface MailJobsOptions {
  readonly url: string;
  /** Does the work; what it throws is passed to `onError`, and the job is gone. */
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
