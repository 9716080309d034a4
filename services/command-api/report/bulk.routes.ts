import { Compile } from "typebox/compile";
import { BULK, BulkBody, JobStartedReply } from "#contracts/http/jobs.ts";
import { moderation } from "#contracts/http/moderation.ts";
import { MOST_UNPROVED } from "#contracts/report/reporter-rules.ts";
import { withoutEmpty } from "#contracts/report/submission-rules.ts";
import { requireProof } from "#http/auth.ts";
import { BULK_BOUNDS } from "#http/bounds.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { invalidRequest } from "#http/validation.ts";
import { addCommandRoutes, commandRoute } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";

/** What is wrong with the fields of each command, beyond what the body's schema says. */
function problems({ command, reports, ...fields }: BulkBody): Record<string, string> {
  const found: Record<string, string> = {};
  const { status, reason, reason_code } = fields;
  if (command === "status" && !status) found.status = "Status is required";
  const rejects = command === "reject" || status === "rejected";
  const isNamed = reason_code !== undefined && reason_code !== "other";
  if (rejects && !isNamed && !reason?.trim()) found.reason = "Reason is required";
  if (Object.keys(found).length === 0 && !Compile(moderation(command).body).Check(fields))
    found.command = `${moderation(command).title} takes no such field`;
  if (new Set(reports.map(({ id }) => id)).size < reports.length)
    found.reports = "Each report may be named once";
  return found;
}

/** The command's own body. */
export function bulkCommandBody({ command: _, reports: __, ...fields }: BulkBody) {
  return fields;
}

/** Decides up to a thousand reports, by a job. */
export function bulkRoute(app: ServiceInstance, { jobs, requests }: WriteSide): void {
  addCommandRoutes(app, [
    commandRoute({
      method: "POST",
      url: BULK,
      roles: ["admin"],
      limit: "write",
      bounds: BULK_BOUNDS,
      tag: "moderation",
      summary: "Approve, reject or set the status of up to 1,000 reports; returns a job",
      body: BulkBody,
      tidy: [
        async (request) => {
          request.body = withoutEmpty(request.body);
        },
      ],
      reply: JobStartedReply,
      async run(request) {
        const { body } = request;
        const wrong = problems(body);
        if (Object.keys(wrong).length > 0) throw invalidRequest(wrong);
        if (body.reports.length > MOST_UNPROVED) requireProof(request.actor);
        const envelope = requests.envelope(request, "", body);
        const { id } = await jobs.begin("bulk", body, envelope, body.reports.length);
        return succeed({ job_id: id }, { message: "Started" });
      },
    }),
  ]);
}
