import type { FastifyRequest } from "fastify";
import { CommandReply } from "#contracts/http/admin-reports.ts";
import { DELETE_DOCUMENT, DeleteDocument } from "#contracts/http/documents.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { withoutEmpty } from "#contracts/report/submission-rules.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { addCommandRoutes, commandRoute } from "../kernel/command-route.ts";
import { reportState } from "../report/report.admin-routes.ts";
import type { WriteSide } from "../write-side.ts";

/** Deleting a file of a report for good. */
export function documentDeletionRoutes(
  app: ServiceInstance,
  { reports, requests }: WriteSide,
): void {
  addCommandRoutes(app, [
    commandRoute({
      method: "POST",
      url: DELETE_DOCUMENT,
      roles: ["admin"],
      limit: "write",
      proof: true,
      tag: "moderation",
      summary: "Delete a file of a report and its published copies permanently",
      params: strict({ id: ReportId, fileId: ReportId }),
      body: DeleteDocument,
      tidy: [dropEmpty],
      reply: CommandReply,
      async run(request, response) {
        const { id, fileId } = request.params;
        const { body } = request;
        const envelope = requests.envelope(request, `${id}/${fileId}`, body);
        const command = { type: "DeleteEvidence", fileId, body } as const;
        const outcome = await reports.execute(id, command, envelope);
        requests.position(response, outcome.position);
        return succeed(reportState(id, outcome), { message: "Document deleted" });
      },
    }),
  ]);
}

/** A reason of spaces is none. */
async function dropEmpty(request: FastifyRequest): Promise<void> {
  request.body = withoutEmpty(request.body);
}
