import { CheckLog, LOG_CHECK } from "#contracts/http/audit.ts";
import { JobStartedReply } from "#contracts/http/jobs.ts";
import { succeed } from "#http/envelope.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { type CommandRoute, commandRoute, emptyBody } from "../kernel/command-route.ts";
import type { Requests } from "../kernel/requests.ts";

/** Begins a check of the whole log, one at a time in the registry. */
export function logCheckRoute(deps: {
  readonly jobs: Jobs;
  readonly requests: Requests;
}): CommandRoute {
  const { jobs, requests } = deps;
  return commandRoute({
    method: "POST",
    url: LOG_CHECK,
    roles: ["admin", "auditor"],
    limit: "write",
    tag: "audit",
    summary: "Check the chain of the whole log; answers with a job",
    body: CheckLog,
    tidy: [emptyBody],
    reply: JobStartedReply,
    async run(request) {
      const envelope = requests.envelope(request, "", {});
      const { id } = await jobs.begin("log_check", {}, envelope);
      return succeed({ job_id: id }, { message: "Started" });
    },
  });
}
