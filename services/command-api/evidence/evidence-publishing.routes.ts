import { Type } from "typebox";
import { CommandReply } from "#contracts/http/admin-reports.ts";
import { DELETE_DOCUMENT, DeleteDocument } from "#contracts/http/documents.ts";
import { HideCopy, PublishQuery, REVEALED_FILE } from "#contracts/http/evidence.ts";
import { ADMIN_REPORT } from "#contracts/http/moderation.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { UPLOAD_BOUNDS } from "#http/bounds.ts";
import { addressKey } from "#http/limits.ts";
import type { ServiceInstance } from "#http/service.ts";
import { commandsOf, dropEmpty } from "../kernel/command-route.ts";
import { reportReply } from "../report/report.admin-routes.ts";
import type { WriteSide } from "../write-side.ts";
import { EvidencePublishingService } from "./evidence-publishing.service.ts";
import { EvidenceViewService } from "./evidence-view.service.ts";
import { contentOf, sendFile, takeFiles } from "./file-bodies.ts";

/** Milliseconds for a picture to arrive and be decoded. */
const HANDLED_MS = 60_000;

const Params = strict({ id: ReportId, fileId: ReportId });

/** Adds the routes that publish evidence and hide it again. */
export async function evidencePublishingRoutes(
  app: ServiceInstance,
  side: WriteSide,
): Promise<void> {
  const { reports } = side;
  const publishing = new EvidencePublishingService(side);
  const command = commandsOf(app, "moderation");
  command("POST", `${ADMIN_REPORT}/evidence/:fileId/hide`, {
    roles: ["admin"],
    limit: "write",
    proof: true,
    summary: "Permanently remove a published picture; `fileId` is the picture's own ID",
    params: Params,
    body: HideCopy,
    reply: CommandReply,
    async run(request) {
      const { id, fileId: copyId } = request.params;
      const { reason } = request.body;
      const envelope = request.envelope(`${id}/${copyId}`, request.body);
      const command = { type: "HideEvidence", copyId, reason } as const;
      const outcome = await reports.execute(id, command, envelope);
      return reportReply(id, outcome, "Picture hidden");
    },
  });

  await app.register(async (scope: ServiceInstance) => {
    takeFiles(scope);
    scope.route({
      method: "POST",
      url: `${ADMIN_REPORT}/evidence/:fileId/publish`,
      handlerTimeout: HANDLED_MS,
      config: { roles: ["admin"], limit: "write", proof: true, bounds: UPLOAD_BOUNDS },
      schema: {
        tags: ["moderation"],
        summary: "Publish the picture in the body as the copy of a file of the report",
        consumes: ["application/octet-stream"],
        params: Params,
        querystring: PublishQuery,
        response: { 200: CommandReply },
      },
      handler: async (request) => {
        const { id, fileId } = request.params;
        const { kind = "evidence", page, boxes } = request.query;
        const outcome = await publishing.publish(
          id,
          { type: "PublishEvidence", fileId, kind, page, boxes },
          {
            content: contentOf(request),
            network: addressKey(request.ip),
            envelopeFor: (body) => request.envelope(`${id}/${fileId}`, body),
          },
        );
        return reportReply(id, outcome, "Picture published");
      },
    });
  });
}

/** Adds the routes with which staff open files. */
export function evidenceAdminRoutes(app: ServiceInstance, side: WriteSide): void {
  const views = new EvidenceViewService(side);
  app.route({
    method: "POST",
    url: `${ADMIN_REPORT}/evidence/:fileId`,
    config: { roles: ["admin"], limit: "reveal", proof: true },
    schema: {
      tags: ["moderation"],
      summary: "Open a report's file; logged first",
      params: strict({ id: ReportId, fileId: ReportId }),
      body: strict({}),
      produces: ["application/octet-stream"],
      response: { 200: Type.Any() },
    },
    handler: async (request, reply) => {
      const { id, fileId } = request.params;
      const envelope = request.envelope(`${id}/${fileId}`, {});
      const file = await views.open(id, fileId, envelope);
      reply.at(file.position);
      return sendFile(reply, file);
    },
  });
  app.route({
    method: "POST",
    url: REVEALED_FILE,
    config: { roles: ["admin"], limit: "revealed_file" },
    schema: {
      tags: ["moderation"],
      summary: "Fetch a file that a reveal of its report has opened, within 15 minutes",
      params: strict({ id: ReportId, revealId: ReportId, fileId: ReportId }),
      body: strict({}),
      produces: ["application/octet-stream"],
      response: { 200: Type.Any() },
    },
    handler: async (request, reply) => {
      const { id, revealId, fileId } = request.params;
      const { caller } = request.envelope(`${revealId}/${fileId}`, {});
      return sendFile(reply, await views.openRevealed(id, fileId, revealId, caller));
    },
  });
}

/** Adds the route that permanently deletes a file of a report. */
export function documentDeletionRoutes(app: ServiceInstance, { reports }: WriteSide): void {
  const command = commandsOf(app, "moderation");
  command("POST", DELETE_DOCUMENT, {
    roles: ["admin"],
    limit: "write",
    proof: true,
    summary: "Delete a file of a report and its published copies permanently",
    params: strict({ id: ReportId, fileId: ReportId }),
    body: DeleteDocument,
    tidy: [dropEmpty],
    reply: CommandReply,
    async run(request) {
      const { id, fileId } = request.params;
      const { body } = request;
      const envelope = request.envelope(`${id}/${fileId}`, body);
      const command = { type: "DeleteEvidence", fileId, body } as const;
      const outcome = await reports.execute(id, command, envelope);
      return reportReply(id, outcome, "Document deleted");
    },
  });
}
