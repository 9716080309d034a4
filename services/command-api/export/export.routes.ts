import { Type } from "typebox";
import { ExportData, ExportFile, ExportReply } from "#contracts/http/account-export.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { createExportLinks } from "#vault/links/list-export.ts";
import { sendFile } from "../evidence/file-bodies.ts";
import { addCommandRoutes, commandRoute, emptyBody } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";
import { ExportService } from "./export.service.ts";
import { ExportedFiles } from "./exported-files.ts";

const OWNERS = ["user", "admin", "auditor"] as const;

/** A copy of everything that is stored about one's own account. */
export function exportRoutes(app: ServiceInstance, side: WriteSide): void {
  const { evidence, linkKey, accountStore: accounts, requests } = side;
  const files = new ExportedFiles({ ...side, views: evidence.views });
  const exports = new ExportService({
    ...side,
    accounts,
    files,
    links: createExportLinks(linkKey),
  });
  addCommandRoutes(app, [
    commandRoute({
      method: "POST",
      url: "/prod/api/auth/export",
      roles: OWNERS,
      limit: "export_page",
      tag: "accounts",
      proof: true,
      summary: "Export your data, page by page; logged first",
      body: ExportData,
      reply: ExportReply,
      tidy: [emptyBody],
      async run(request, response) {
        const caller = requests.caller(request);
        const { next } = request.body;
        if (next !== undefined) return succeed(await exports.goOn(next, caller));
        await exports.prepare();
        await app.limits.spend(request, "export");
        const { page, position } = await exports.begin(caller);
        requests.position(response, position);
        return succeed(page);
      },
    }),
  ]);
  // The files of an export, one by one.
  app.route({
    method: "POST",
    url: "/prod/api/auth/export/file",
    config: { roles: OWNERS, limit: "export_page", proof: true },
    schema: {
      tags: ["accounts"],
      summary: "Download a file you added, as part of an export; logged first",
      body: ExportFile,
      produces: ["application/octet-stream"],
      response: { 200: Type.Any() },
    },
    handler: async (request, reply) => {
      const { body } = request;
      // A retry is another look.
      const file = await exports.openFile(body, requests.envelope(request, "", {}));
      requests.position(reply, file.position);
      return sendFile(reply, file);
    },
  });
}
