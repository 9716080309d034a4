import { DomainError } from "#contracts/domain-error.ts";
import { JobStartedReply } from "#contracts/http/jobs.ts";
import { SystemActionBody } from "#contracts/http/system.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { BACKUP_CHECK_ACTION, SYSTEM_ACTIONS_PATH } from "#contracts/system/actions.ts";
import { requireProof } from "#http/auth.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { commandsOf } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";

/** How to do in this installation what it leaves to the operator. */
const OPERATOR_INSTRUCTIONS: Partial<Record<SystemActionBody["action"], string>> = {
  backup:
    "This installation doesn't make its own backups. Schedule npm run backup, for example with cron.",
  restart:
    "Nothing would restart this registry automatically. Restart its processes with your service manager, or see SUPERVISED.",
};

/** Actions that require a recent password check: they end processes, or delete the oldest backup. */
const NEEDS_PROOF: ReadonlySet<string> = new Set(["restart", "backup"]);

/** Registers the route with which admins start an action on the whole registry, as a job. */
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
        throw new DomainError(
          "conflict",
          OPERATOR_INSTRUCTIONS[body.action] ?? "This action isn't available in this installation.",
        );
      if (NEEDS_PROOF.has(body.action)) requireProof(request.actor);
      const { action, backup } = body;
      if (backup !== undefined && action !== BACKUP_CHECK_ACTION)
        throw new DomainError("invalid_request", "Only a backup check takes a backup name");
      const { id } = await jobs.begin(
        action,
        omitUndefined({ backup }),
        request.envelope("", body),
      );
      return succeed({ job_id: id }, { message: "Started" });
    },
  });
}
