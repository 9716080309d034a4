import type { Logger } from "pino";
import { Compile } from "typebox/compile";
import { DomainError } from "#contracts/domain-error.ts";
import { BULK, BulkBody, type JobOutcome, JobStartedReply } from "#contracts/http/jobs.ts";
import {
  type ModerationCommand,
  moderation,
  moderationCommand,
} from "#contracts/http/moderation.ts";
import { MAX_UNPROVED } from "#contracts/report/reporter-rules.ts";
import { requireProof } from "#http/auth.ts";
import { BULK_BOUNDS } from "#http/bounds.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { invalidRequest } from "#http/validation.ts";
import type { LiveKey } from "#vault/keys/key-store.ts";
import type { Dependencies } from "../dependencies.ts";
import { type JobKind, type JobRun, jobKind, type NewJobLine, RunOver } from "../jobs/job-kind.ts";
import { idsOf } from "../kernel/command-ids.store.ts";
import { commandsOf, dropEmpty } from "../kernel/command-route.ts";
import type { CommandEnvelope } from "../kernel/envelope.ts";
import type { WriteSide } from "../write-side.ts";

/** Reports decided concurrently. Low, so that a moderator's own commands come first. */
const AT_ONCE = 4;

type Deps = Pick<Dependencies, "reports" | "commandKey"> & {
  readonly log: Pick<Logger, "warn">;
};

/** Decides many reports. Command IDs are derived from the job and the report, so a retry never decides one twice. */
export function bulkKind(deps: Deps): JobKind {
  return jobKind({
    name: "bulk",
    input: BulkBody,
    whenInterrupted: "continue",
    async run(body, run) {
      const command = moderationCommand(body.command, bulkCommandBody(body) as never);
      const left = body.reports.filter(({ id }) => !run.finished.has(id)).values();
      const worker = async () => {
        for (const { id, revision } of left) {
          if (run.signal.aborted) return;
          await run.line({ target: id, ...(await decide(id, revision, command, run, deps)) });
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    },
  });
}

async function decide(
  id: string,
  revision: number,
  command: ModerationCommand,
  run: JobRun,
  { reports, commandKey, log }: Deps,
): Promise<Omit<NewJobLine, "target">> {
  try {
    const envelope = envelopeOf(id, command, run, commandKey);
    const { position } = await reports.execute(id, command, envelope, revision);
    return { outcome: "done", position };
  } catch (error) {
    if (error instanceof RunOver) throw error;
    if (!(error instanceof DomainError)) {
      log.warn({ err: error }, "could not decide a report");
      return { outcome: "failed", code: "unavailable", message: "Please try again later." };
    }
    const { code, message, position } = error;
    const outcome = OUTCOMES[code] ?? "refused";
    if (outcome === "conflict" && (await reports.load(id))?.status === "deleted")
      return { outcome: "gone", ...GONE, position };
    return { outcome, code, message, position };
  }
}

const GONE = { code: "report_deleted", message: "This report was deleted" } as const;

const OUTCOMES: { readonly [code: string]: JobOutcome } = {
  conflict: "conflict",
  report_deleted: "gone",
  report_not_found: "gone",
  unavailable: "failed",
};

function envelopeOf(
  id: string,
  { body }: ModerationCommand,
  run: JobRun,
  commandKey: LiveKey,
): CommandEnvelope {
  const caller = run.caller();
  const identity = {
    actor: caller.actor.id,
    method: "POST",
    route: BULK,
    target: id,
    idempotencyKey: run.id,
  };
  return { caller, ...idsOf(commandKey, identity), body };
}

/** Problems by field, beyond what the body's schema checks. */
function problems({ command, reports, ...fields }: BulkBody): Record<string, string> {
  const found: Record<string, string> = {};
  const { status, reason, reason_code } = fields;
  if (command === "status" && !status) found.status = "Status is required";
  const rejects = command === "reject" || status === "rejected";
  const isNamed = reason_code !== undefined && reason_code !== "other";
  if (rejects && !isNamed && !reason?.trim()) found.reason = "Reason is required";
  if (Object.keys(found).length === 0 && !Compile(moderation(command).body).Check(fields))
    found.command = `${moderation(command).title} doesn't accept this field`;
  if (new Set(reports.map(({ id }) => id)).size < reports.length)
    found.reports = "Each report can be listed only once";
  return found;
}

export function bulkCommandBody({ command: _, reports: __, ...fields }: BulkBody) {
  return fields;
}

/** Adds the route that decides up to a thousand reports with a job. */
export function bulkRoute(app: ServiceInstance, { jobs }: WriteSide): void {
  const command = commandsOf(app, "moderation");
  command("POST", BULK, {
    roles: ["admin"],
    limit: "write",
    bounds: BULK_BOUNDS,
    summary: "Approve, reject or set the status of up to 1,000 reports; returns a job",
    body: BulkBody,
    tidy: [dropEmpty],
    reply: JobStartedReply,
    async run(request) {
      const { body } = request;
      const wrong = problems(body);
      if (Object.keys(wrong).length > 0) throw invalidRequest(wrong);
      if (body.reports.length > MAX_UNPROVED) requireProof(request.actor);
      const envelope = request.envelope("", body);
      const { id } = await jobs.begin("bulk", body, envelope, body.reports.length);
      return succeed({ job_id: id }, { message: "Started" });
    },
  });
}
