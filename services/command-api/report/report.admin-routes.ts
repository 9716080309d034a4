import { CommandReply, RevealReply } from "#contracts/http/admin-reports.ts";
import {
  ADMIN_REPORT,
  isDecision,
  MODERATION_NAMES,
  type ModerationName,
  moderation,
  moderationCommand,
  moderationRequest,
  type SeenRevision,
} from "#contracts/http/moderation.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { REPORT_BOUNDS } from "#http/bounds.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { checked, commandsOf, dropEmpty } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";
import { editBodyProblems } from "./edit-body.ts";
import type { ReportOutcome } from "./report.service.ts";

const Id = strict({ id: ReportId });
const ADMIN = ["admin"] as const;

const checkEdit = checked(editBodyProblems);

/** Commands after which the report needs no moderator for now. */
const ENDS_LEASE: ReadonlySet<ModerationName> = new Set([
  "approve",
  "reject",
  "status",
  "ask",
  "delete",
]);

/** Builds the reply to a command about a report. */
export function reportReply(
  id: string,
  { state: { status, verified }, revision, position }: ReportOutcome,
  message: string,
) {
  return succeed({ id, status, verified, revision }, { message, position });
}

/** Splits the request into the command's body and the revision that the decision is based on. */
function seenBy(name: ModerationName, request: object): { body: object } & SeenRevision {
  if (!isDecision(name)) return { body: request };
  const { revision, ...body } = request as SeenRevision;
  return { body, ...(revision === undefined ? {} : { revision }) };
}

/** Adds the routes for moderating a report. */
export function reportAdminRoutes(app: ServiceInstance, { reports, leases }: WriteSide): void {
  const command = commandsOf(app, "moderation");
  for (const name of MODERATION_NAMES) {
    const { method, path, summary, dropsEmpty, done } = moderation(name);
    const isEdit = name === "edit";
    command(method, ADMIN_REPORT + path, {
      roles: ADMIN,
      limit: "write",
      bounds: isEdit ? REPORT_BOUNDS : undefined,
      ...(name === "delete" ? { proof: true as const } : {}),
      summary,
      params: Id,
      body: moderationRequest(name),
      tidy: [...(dropsEmpty ? [dropEmpty] : []), ...(isEdit ? [checkEdit] : [])],
      reply: CommandReply,
      async run(request) {
        const { id } = request.params;
        const envelope = request.envelope(id, request.body);
        const { body, revision } = seenBy(name, request.body);
        const command = moderationCommand(name, body);
        const outcome = await reports.execute(id, command, envelope, revision);
        if (ENDS_LEASE.has(name)) await leases.end(id);
        return reportReply(id, outcome, done);
      },
    });
  }
  command("POST", `${ADMIN_REPORT}/reveal`, {
    roles: ADMIN,
    limit: "reveal",
    proof: true,
    summary: "Open a report's encrypted data; logged first",
    params: Id,
    body: strict({}),
    reply: RevealReply,
    async run(request) {
      const { id } = request.params;
      const envelope = request.envelope(id, request.body);
      const { report, reveal_id, position } = await reports.reveal(id, envelope, true);
      return succeed({ ...report, reveal_id }, { position });
    },
  });
}
