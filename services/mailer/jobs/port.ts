import type { Queue, Worker } from "bullmq";

/** What goes over the queue: ids only. */
export interface MailJob {
  readonly mailId: string;
}

export interface MailJobs {
  readonly queue: Pick<Queue<MailJob>, "add" | "close">;
  readonly worker: Pick<Worker<MailJob>, "close" | "run">;
}
