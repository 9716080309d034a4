import type { FastifyReply, FastifyRequest } from "fastify";
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
import type { Requests } from "../commands/caller.ts";
import { editBodyProblems } from "./edit-body.ts";
import type { ReportOutcome, ReportService } from "./report.service.ts";

const Id = strict({ id: ReportId });
const ADMIN = ["admin"] as const;
const write = { roles: ADMIN, limit: "write" } as const;

/** Lets the console's form send its empty fields: they keep their values. */
async function dropEmpty(request: FastifyRequest): Promise<void> {
  request.body = withoutEmpty(request.body);
}

/** Says in an edit's own words what is wrong with its body. */
async function checkEdit(request: FastifyRequest): Promise<void> {
  const problems = editBodyProblems(request.body ?? {});
  if (Object.keys(problems).length > 0) throw invalidRequest(problems);
}

/** How the report stands after a command, as the reply's data. */
export function reportState(id: string, { state, revision }: ReportOutcome) {
  return { id, status: state.status, verified: state.verified, revision };
}

/** What moderators do with a report. */
export function reportAdminRoutes(
  app: ServiceInstance,
  { reports, requests }: { reports: ReportService; requests: Requests },
): void {
  const answer = (response: FastifyReply, id: string, outcome: ReportOutcome, message: string) => {
    requests.position(response, outcome.position);
    return succeed(reportState(id, outcome), { message });
  };

  app.post(
    "/prod/api/admin/reports/:id/approve",
    {
      config: write,
      schema: {
        tags: ["moderation"],
        summary: "Approve a report",
        params: Id,
        body: strict({}),
        response: { 200: CommandReply },
      },
    },
    async (request, response) => {
      const { id } = request.params;
      const command = requests.command(request, "ApproveReport", id, request.body);
      const caller = requests.caller(request);
      const outcome = await reports.setStatus(id, "approved", undefined, command, caller);
      return answer(response, id, outcome, "Report approved");
    },
  );

  app.post(
    "/prod/api/admin/reports/:id/reject",
    {
      config: write,
      schema: {
        tags: ["moderation"],
        summary: "Reject a report, with a reason",
        params: Id,
        body: RejectReport,
        response: { 200: CommandReply },
      },
      preValidation: dropEmpty,
    },
    async (request, response) => {
      const { id } = request.params;
      const command = requests.command(request, "RejectReport", id, request.body);
      const caller = requests.caller(request);
      const { reason } = request.body;
      const outcome = await reports.setStatus(id, "rejected", reason, command, caller);
      return answer(response, id, outcome, "Report rejected");
    },
  );

  app.post(
    "/prod/api/admin/reports/:id/status",
    {
      config: write,
      schema: {
        tags: ["moderation"],
        summary: "Set a report's status",
        params: Id,
        body: SetStatus,
        response: { 200: CommandReply },
      },
      preValidation: dropEmpty,
    },
    async (request, response) => {
      const { id } = request.params;
      const command = requests.command(request, "SetReportStatus", id, request.body);
      const caller = requests.caller(request);
      const { status, reason } = request.body;
      const outcome = await reports.setStatus(id, status, reason, command, caller);
      return answer(response, id, outcome, "Status changed");
    },
  );

  app.post(
    "/prod/api/admin/reports/:id/verify",
    {
      config: write,
      schema: {
        tags: ["moderation"],
        summary: "Verify the reporter's address by hand",
        params: Id,
        body: strict({}),
        response: { 200: CommandReply },
      },
    },
    async (request, response) => {
      const { id } = request.params;
      const command = requests.command(request, "VerifyReportByHand", id, request.body);
      const outcome = await reports.verifyByHand(id, command, requests.caller(request));
      return answer(response, id, outcome, "Email verified manually");
    },
  );

  app.put(
    "/prod/api/admin/reports/:id",
    {
      config: { ...write, bounds: REPORT_BOUNDS },
      schema: {
        tags: ["moderation"],
        summary: "Edit a report",
        params: Id,
        body: EditReport,
        response: { 200: CommandReply },
      },
      preValidation: [dropEmpty, checkEdit],
    },
    async (request, response) => {
      const { id } = request.params;
      const command = requests.command(request, "EditReport", id, request.body);
      const outcome = await reports.edit(id, request.body, command, requests.caller(request));
      return answer(response, id, outcome, "Report updated successfully");
    },
  );

  app.delete(
    "/prod/api/admin/reports/:id",
    {
      config: write,
      schema: {
        tags: ["moderation"],
        summary: "Delete a report for good",
        params: Id,
        body: DeleteReport,
        response: { 200: CommandReply },
      },
    },
    async (request, response) => {
      const { id } = request.params;
      const { reason_code: reason = "other" } = request.body;
      const command = requests.command(request, "DeleteReport", id, request.body);
      const outcome = await reports.delete(id, reason, command, requests.caller(request));
      return answer(response, id, outcome, "Report deleted successfully");
    },
  );

  app.post(
    "/prod/api/admin/reports/:id/reveal",
    {
      config: { roles: ADMIN, limit: "reveal" },
      schema: {
        tags: ["moderation"],
        summary: "Open a report's sealed data; the look is written into the log first",
        params: Id,
        body: strict({}),
        response: { 200: RevealReply },
      },
    },
    async (request, response) => {
      const { id } = request.params;
      const command = requests.command(request, "RevealReport", id, request.body);
      const { report, position } = await reports.reveal(id, command, requests.caller(request));
      requests.position(response, position);
      response.header("cache-control", "no-store");
      return succeed(report);
    },
  );
}
