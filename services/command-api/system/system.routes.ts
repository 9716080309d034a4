import { DomainError } from "#contracts/domain-error.ts";
import { given } from "#contracts/given.ts";
import { JobStartedReply } from "#contracts/http/jobs.ts";
import { SystemActionBody } from "#contracts/http/system.ts";
import { BACKUP_CHECK_ACTION, SYSTEM_ACTIONS_PATH } from "#contracts/system/actions.ts";
import { requireProof } from "#http/auth.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { commandsOf } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";

/** What some installations leave to the operator, and how it is done there. */
const ELSEWHERE: Partial<Record<SystemActionBody["action"], string>> = {
  backup:
    "This registry makes no backups by itself: let a timer of your system run npm run backup.",
  restart:
    "Nobody would start this registry again by itself: restart its processes by what starts them, or see SUPERVISED.",
};

/** What needs a password that was shown lately: it ends the process, or removes the oldest backup. */
const PROVED: ReadonlySet<string> = new Set(["restart", "backup"]);

/** The route by which admins have something done with the registry as a whole, by a job. */
export function systemActionRoute(app: ServiceInstance, { jobs }: WriteSide): void {
  const command = commandsOf(app, "system");
  command("POST", SYSTEM_ACTIONS_PATH, {
    roles: ["admin"],
    limit: "write",
    summary: "Start an action on the whole system; returns a job",
    body: SystemActionBody,
    reply: JobStartedReply,
    async run(request) {
      const { body } = request;
      if (!jobs.runs(body.action))
        throw new DomainError("conflict", ELSEWHERE[body.action] ?? "It is not done here.");
      if (PROVED.has(body.action)) requireProof(request.actor);
      const { action, backup } = body;
      if (backup !== undefined && action !== BACKUP_CHECK_ACTION)
        throw new DomainError("invalid_request", "Only a check of backups names one");
      const { id } = await jobs.begin(action, given({ backup }), request.envelope("", body));
      return succeed({ job_id: id }, { message: "Started" });
    },
  });
}
