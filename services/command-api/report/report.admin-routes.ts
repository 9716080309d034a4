import type { FastifyRequest, HTTPMethods } from "fastify";
import type { Static, TSchema } from "typebox";
import {
  CommandReply,
  DeleteReport,
  EditReport,
  RejectReport,
  RevealReply,
  SetStatus,
} from "#contracts/http/admin-reports.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { withoutEmpty } from "#contracts/report/submission-rules.ts";
import { REPORT_BOUNDS } from "#http/bounds.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { invalidRequest } from "#http/validation.ts";
import { addCommandRoutes, commandRoute } from "../kernel/command-route.ts";
import type { Requests } from "../kernel/requests.ts";
import { editBodyProblems } from "./edit-body.ts";
import type { ReportCommand } from "./report.commands.ts";
import type { ReportOutcome, ReportService } from "./report.service.ts";

const Id = strict({ id: ReportId });
const Nothing = strict({});
const ADMIN = ["admin"] as const;

/** One command that moderators can send. */
export interface Moderation<B extends TSchema = TSchema> {
  readonly method: HTTPMethods;
  /** Path after the report's own address. */
  readonly path?: string;
  readonly summary: string;
  readonly body: B;
  readonly bounds?: typeof REPORT_BOUNDS;
  /** Steps that the body goes through before it is checked. */
  readonly tidy?: ((request: FastifyRequest) => Promise<void>)[];
  command(body: Static<B>): ReportCommand;
  /** What the console shows afterwards. */
  readonly done: string;
}
const command = <B extends TSchema>(row: Moderation<B>) => row;

/** Drops the empty fields that the console's form sends, so that they keep their values. */
async function dropEmpty(request: FastifyRequest): Promise<void> {
  request.body = withoutEmpty(request.body);
}

/** Says in the words of an edit what is wrong with its body. */
async function checkEdit(request: FastifyRequest): Promise<void> {
  const problems = editBodyProblems(request.body ?? {});
  if (Object.keys(problems).length > 0) throw invalidRequest(problems);
}

export const MODERATION = {
  approve: command({
    method: "POST",
    path: "/approve",
    summary: "Approve a report",
    body: Nothing,
    command: () => ({ type: "ApproveReport" }),
    done: "Report approved",
  }),
  reject: command({
    method: "POST",
    path: "/reject",
    summary: "Reject a report, with a reason",
    body: RejectReport,
    tidy: [dropEmpty],
    command: ({ reason }) => ({ type: "RejectReport", reason }),
    done: "Report rejected",
  }),
  status: command({
    method: "POST",
    path: "/status",
    summary: "Set a report's status",
    body: SetStatus,
    tidy: [dropEmpty],
    command: (body) => ({ type: "SetReportStatus", ...body }),
    done: "Status changed",
  }),
  verify: command({
    method: "POST",
    path: "/verify",
    summary: "Verify the reporter's address by hand",
    body: Nothing,
    command: () => ({ type: "VerifyReportByHand" }),
    done: "Email verified manually",
  }),
  edit: command({
    method: "PUT",
    summary: "Edit a report",
    body: EditReport,
    bounds: REPORT_BOUNDS,
    tidy: [dropEmpty, checkEdit],
    command: (edit) => ({ type: "EditReport", edit }),
    done: "Report updated successfully",
  }),
  delete: command({
    method: "DELETE",
    summary: "Delete a report for good",
    body: DeleteReport,
    command: ({ reason_code: reasonCode = "other" }) => ({ type: "DeleteReport", reasonCode }),
    done: "Report deleted successfully",
  }),
} satisfies Record<string, Moderation>;

/** The report's state after a command, as the reply's data. */
export function reportState(id: string, { state, revision }: ReportOutcome) {
  return { id, status: state.status, verified: state.verified, revision };
}

/** The routes for moderating a report. */
export function reportAdminRoutes(
  app: ServiceInstance,
  { reports, requests }: { reports: ReportService; requests: Requests },
): void {
  const commands = Object.values<Moderation>(MODERATION).map(
    ({ path = "", command, done, ...row }) =>
      commandRoute({
        ...row,
        url: `/prod/api/admin/reports/:id${path}`,
        roles: ADMIN,
        limit: "write",
        tag: "moderation",
        params: Id,
        reply: CommandReply,
        async run(request, response) {
          const { id } = request.params;
          const envelope = requests.envelope(request, id, request.body);
          const outcome = await reports.execute(id, command(request.body), envelope);
          requests.position(response, outcome.position);
          return succeed(reportState(id, outcome), { message: done });
        },
      }),
  );
  const reveal = commandRoute({
    method: "POST",
    url: "/prod/api/admin/reports/:id/reveal",
    roles: ADMIN,
    limit: "reveal",
    tag: "moderation",
    summary: "Open a report's sealed data; the look is written into the log first",
    params: Id,
    body: Nothing,
    reply: RevealReply,
    async run(request, response) {
      const { id } = request.params;
      const envelope = requests.envelope(request, id, request.body);
      const { report, position } = await reports.reveal(id, envelope);
      requests.position(response, position);
      return succeed(report);
    },
  });
  addCommandRoutes(app, [...commands, reveal]);
}
