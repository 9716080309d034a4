import { createPostgresBackend, withBackend } from "bullmq";
import type { MailJob, MailJobs } from "./port.ts";

export const MAIL_QUEUE = "mail";

/** Schema of the queue's tables, beside the read models. */
const SCHEMA = "jobs";

/** The queue and one worker of it, on PostgreSQL. */
export async function openMailJobs(
  jobsUrl: string,
  handle: (job: MailJob) => Promise<void>,
  onError: (error: unknown) => void,
): Promise<MailJobs> {
  const { Queue: BoundQueue, Worker: BoundWorker } = withBackend(createPostgresBackend);
  const connection = { connectionString: jobsUrl, schema: SCHEMA, max: 4, migrate: true };
  const queue = new BoundQueue<MailJob>(MAIL_QUEUE, { connection });
  await queue.waitUntilReady();
  const worker = new BoundWorker<MailJob>(MAIL_QUEUE, ({ data }) => handle(data), {
    connection,
    concurrency: 4,
    autorun: false,
    // The worker keeps no job: a kept one would hold its id against being added again.
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  });
  worker.on("error", onError);
  queue.on("error", onError);
  return { queue, worker };
}
