import { Type } from "typebox";
import { REVEALED_FILE } from "#contracts/http/evidence.ts";
import { ADMIN_REPORT } from "#contracts/http/moderation.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { WriteSide } from "../write-side.ts";
import { EvidenceViewService } from "./evidence-view.service.ts";
import { sendFile } from "./file-bodies.ts";

/** Files of reports, for staff. */
export function evidenceAdminRoutes(app: ServiceInstance, side: WriteSide): void {
  const { requests } = side;
  const views = new EvidenceViewService(side);
  app.route({
    method: "POST",
    url: `${ADMIN_REPORT}/evidence/:fileId`,
    config: { roles: ["admin"], limit: "reveal", proof: true },
    schema: {
      tags: ["moderation"],
      summary: "Open a file of a report; logged first",
      params: strict({ id: ReportId, fileId: ReportId }),
      body: strict({}),
      produces: ["application/octet-stream"],
      response: { 200: Type.Any() },
    },
    handler: async (request, reply) => {
      const { id, fileId } = request.params;
      const envelope = requests.envelope(request, `${id}/${fileId}`, {});
      const file = await views.open(id, fileId, envelope);
      requests.position(reply, file.position);
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
      const { caller } = requests.envelope(request, `${revealId}/${fileId}`, {});
      return sendFile(reply, await views.openRevealed(id, fileId, revealId, caller));
    },
  });
}
