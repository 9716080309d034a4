import { JOB, JobStopReply } from "#contracts/http/jobs.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { commandsOf } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";

/** Adds the route to stop a job. */
export function jobRoutes(app: ServiceInstance, { jobs }: WriteSide): void {
  const command = commandsOf(app, "system");
  command("POST", `${JOB}/stop`, {
    roles: ["admin", "auditor"],
    limit: "write",
    summary: "Stop a job; completed work stays",
    params: strict({ id: ReportId }),
    body: strict({}),
    reply: JobStopReply,
    async run(request) {
      return succeed(await jobs.stop(request.params.id, request.caller));
    },
  });
}
