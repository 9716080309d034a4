import { CommandReply } from "#contracts/http/admin-reports.ts";
import {
  OWN_RESOLUTION,
  OwnResolutionReply,
  RESOLUTION_COMMAND_NAMES,
  RequestResolution,
  resolutionCommand,
  resolutionPath,
  type StaffResolutionCommand,
  WithdrawResolution,
} from "#contracts/http/resolution.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { OWNERS } from "#http/actor.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { commandsOf, trimTexts } from "../kernel/command-route.ts";
import { requireOwnReport } from "../report/own-account.ts";
import { reportReply } from "../report/report.admin-routes.ts";
import type { ReportOutcome } from "../report/report.service.ts";
import type { WriteSide } from "../write-side.ts";
import { ownResolution } from "./resolution.service.ts";

const Id = strict({ id: ReportId });

/** The part that a retry must repeat, and that the log may store a MAC of. */
function withoutSecret({ letter, ...body }: RequestResolution): object {
  return { ...body, letter: { id: letter.id, name: letter.name } };
}

/** Adds the routes for the RESOLVED banner, for the report's owner and for staff. */
export function resolutionRoutes(app: ServiceInstance, side: WriteSide): void {
  const { admins, reports, takesCards } = side;
  const owners = { roles: OWNERS, tag: "accounts", params: Id } as const;
  const own = ({ state, position }: ReportOutcome, now: string, message: string) => {
    const resolution = ownResolution(state, now, takesCards);
    // A command that succeeded always leaves a request.
    if (!resolution) throw new TypeError("the report has no request");
    return succeed({ resolution }, { message, position });
  };
  const command = commandsOf(app, "moderation");
  command("POST", OWN_RESOLUTION, {
    ...owners,
    limit: "write",
    summary: "Request the RESOLVED banner for your report, with a notarized letter",
    body: RequestResolution,
    reply: OwnResolutionReply,
    async run(request) {
      const { params, body } = request;
      await app.limits.spend(request, "banner");
      const envelope = request.envelope(params.id, withoutSecret(body));
      await requireOwnReport(params.id, envelope.caller, side);
      const command = { type: "RequestResolution", body } as const;
      const outcome = await reports.execute(params.id, command, envelope);
      const message = "We've received your letter and will check it.";
      return own(outcome, envelope.caller.now, message);
    },
  });
  command("DELETE", OWN_RESOLUTION, {
    ...owners,
    limit: "write",
    summary: "Withdraw an unpaid request for the RESOLVED banner",
    body: WithdrawResolution,
    reply: OwnResolutionReply,
    async run(request) {
      const { params, body } = request;
      const envelope = request.envelope(params.id, body);
      await requireOwnReport(params.id, envelope.caller, side);
      const command = { type: "WithdrawResolution", requestId: body.request_id } as const;
      const outcome = await reports.execute(params.id, command, envelope);
      return own(outcome, envelope.caller.now, "Your request was withdrawn.");
    },
  });
  for (const name of RESOLUTION_COMMAND_NAMES) {
    const { type, body, summary, done, isPayment } = resolutionCommand(name);
    command("POST", resolutionPath(name), {
      roles: ["admin"],
      limit: "write",
      ...(isPayment ? { proof: true as const } : {}),
      summary,
      params: Id,
      body,
      tidy: [trimTexts],
      reply: CommandReply,
      async run(request) {
        const { id } = request.params;
        const envelope = request.envelope(id, request.body);
        // All admins are emailed about payments.
        const told = isPayment ? await admins() : [];
        const command = { type, body: request.body } as StaffResolutionCommand;
        const outcome = await reports.execute(id, { ...command, told }, envelope);
        return reportReply(id, outcome, done);
      },
    });
  }
}
