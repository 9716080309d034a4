import { CheckLog, LOG_CHECK } from "#contracts/http/audit.ts";
import { JobStartedReply } from "#contracts/http/jobs.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { addCommandRoutes, commandRoute, emptyBody } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";

/** Begins a check of the whole log, one at a time in the registry. */
export function logCheckRoute(app: ServiceInstance, { jobs, requests }: WriteSide): void {
  addCommandRoutes(app, [
    commandRoute({
      method: "POST",
      url: LOG_CHECK,
      roles: ["admin", "auditor"],
      limit: "write",
      tag: "audit",
      summary: "Check the hash chain of the whole log; returns a job",
      body: CheckLog,
      tidy: [emptyBody],
      reply: JobStartedReply,
      async run(request) {
        const envelope = requests.envelope(request, "", {});
        const { id } = await jobs.begin("log_check", {}, envelope);
        return succeed({ job_id: id }, { message: "Started" });
      },
    }),
  ]);
}
