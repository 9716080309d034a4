import { DomainError } from "#contracts/domain-error.ts";
import {
  JOB,
  JOBS,
  JOBS_OF,
  JobQuery,
  JobReply,
  JobsQuery,
  JobsReply,
  jobKindsOf,
} from "#contracts/http/jobs.ts";
import { X_POSITION } from "#contracts/http/position-headers.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { readCheckpoints } from "../freshness/read-your-writes.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { findJob, newestJobs, presentJob, presentSummary } from "./jobs.queries.ts";

/** Job progress, read from the command side's tables, so no read waits. */
export function jobRoutes(app: ServiceInstance, { db, names, positions }: ReadSide): void {
  const read = reads(["admin", "auditor"], "system");
  app.get(
    JOBS,
    read({
      summary: "The newest jobs, without their results",
      querystring: JobsQuery,
      reply: JobsReply,
    }),
    async ({ actor, query, log }) => {
      const jobs = await newestJobs(db, jobKindsOf(actor.role), query.of && JOBS_OF[query.of]);
      const nameOf = await names.nameOf(
        jobs.map(({ account_id }) => account_id),
        log,
      );
      return succeed({
        jobs: jobs.map((job) => ({
          ...presentSummary(job),
          ...omitUndefined({ by: nameOf(job.account_id) }),
        })),
      });
    },
  );
  app.get(
    JOB,
    read({
      summary: "A job's progress, and the result for each item",
      params: strict({ id: ReportId }),
      querystring: JobQuery,
      reply: JobReply,
    }),
    async (request, response) => {
      const found = await findJob(
        db,
        request.params.id,
        request.query.after ?? 0,
        jobKindsOf(request.actor.role),
      );
      if (!found) throw new DomainError("not_found", "Job not found");
      const { position } = found.job;
      // From this position on, reads reflect the job.
      const [checkpoint] = position ? await readCheckpoints(db) : [];
      if (position && checkpoint?.epoch)
        response.header(X_POSITION, positions.seal({ epoch: checkpoint.epoch, position }));
      return succeed(presentJob(found));
    },
  );
}
