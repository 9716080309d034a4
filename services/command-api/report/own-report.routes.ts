import { OwnReportReply } from "#contracts/http/own-reports.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { succeed } from "#http/envelope.ts";
import { type CommandRoute, commandRoute, emptyBody } from "../kernel/command-route.ts";
import type { Requests } from "../kernel/requests.ts";
import type { OwnReportService } from "./own-report.service.ts";

const Id = strict({ id: ReportId });

/** What accounts do with reports of their own. */
export function ownReportRoutes(deps: {
  readonly ownReports: OwnReportService;
  readonly requests: Requests;
}): readonly CommandRoute[] {
  const { ownReports, requests } = deps;
  return [
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
  ];
}
