import { DoneReply } from "#contracts/http/envelope.ts";
import { AnswerOwnQuestion, OwnReportReply } from "#contracts/http/own-reports.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { ANSWER_BOUNDS } from "#http/bounds.ts";
import { done, succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { addCommandRoutes, commandRoute, emptyBody } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";
import { ClaimService } from "./claim.service.ts";
import { OwnReportService } from "./own-report.service.ts";

/** What an answer to a moderator's question is told. */
export const ANSWERED = "Thank you. The report is back at the front of the queue.";
const Id = strict({ id: ReportId });

/** What accounts do with reports of their own. */
export function ownReportRoutes(app: ServiceInstance, side: WriteSide): void {
  const { requests } = side;
  const ownReports = new OwnReportService(side);
  const claims = new ClaimService(side);
  addCommandRoutes(app, [
    commandRoute({
      method: "POST",
      url: "/prod/api/account/reports/:id/open",
      roles: ["user", "admin"],
      limit: "reveal",
      proof: true,
      tag: "accounts",
      summary:
        "Open a report of one's own as it was submitted; the look is written into the log first",
      params: Id,
      body: strict({}),
      reply: OwnReportReply,
      tidy: [emptyBody],
      async run(request, response) {
        const { id } = request.params;
        const envelope = requests.envelope(request, id, {});
        const { opened, position } = await ownReports.open(id, envelope);
        requests.position(response, position);
        return succeed(opened);
      },
    }),
    commandRoute({
      method: "POST",
      url: "/prod/api/account/reports/:id/claim",
      roles: ["user", "admin"],
      limit: "write",
      tag: "accounts",
      summary: "Add a report that was sent from one's own address to one's own account",
      params: Id,
      body: strict({}),
      reply: DoneReply,
      tidy: [emptyBody],
      async run(request, response) {
        const { id } = request.params;
        const position = await claims.claim(id, requests.envelope(request, id, {}));
        requests.position(response, position);
        return done("The report is in your account now.");
      },
    }),
    commandRoute({
      method: "POST",
      url: "/prod/api/account/reports/:id/answer",
      roles: ["user", "admin"],
      limit: "write",
      bounds: ANSWER_BOUNDS,
      tag: "accounts",
      summary: "Answer a moderator's question about a report of one's own",
      params: Id,
      body: AnswerOwnQuestion,
      reply: DoneReply,
      async run(request, response) {
        const { params, body } = request;
        const envelope = requests.envelope(request, params.id, body);
        const { position } = await ownReports.answer(params.id, body, envelope);
        requests.position(response, position);
        return done(ANSWERED);
      },
    }),
  ]);
}
