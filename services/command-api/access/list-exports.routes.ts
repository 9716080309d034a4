import { ExportStartedReply, LIST_EXPORTS, StartExport } from "#contracts/http/list-exports.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { invalidRequest } from "#http/validation.ts";
import { listExportSeals } from "#vault/links/list-export.ts";
import { addCommandRoutes, commandRoute } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";
import { ListExports } from "./list-exports.service.ts";

/** The route that records an export of a list and gives the ticket for its rows. */
export function listExportRoute(
  app: ServiceInstance,
  { handler, positionKey, requests }: WriteSide,
): void {
  const seals = listExportSeals(positionKey);
  const listExports = new ListExports({ handler, seals });
  addCommandRoutes(app, [
    commandRoute({
      method: "POST",
      url: LIST_EXPORTS,
      roles: ["admin", "auditor"],
      limit: "list_export",
      tag: "audit",
      summary: "Record an export of a list that was counted, and get a ticket for its rows",
      body: StartExport,
      reply: ExportStartedReply,
      async run(request, response) {
        const { statement, format } = request.body;
        // The read side counts only what the caller's role may export.
        const counted = seals.openCount(statement, new Date().toISOString());
        if (!counted || counted.accountId !== request.actor.id)
          throw invalidRequest({ statement: "The count is too old or not yours: count again" });
        // With the count's end: a later count of the same rows is another export, and needs a key of its own.
        const { list, filter, rows, expiresAt } = counted;
        const envelope = requests.envelope(request, "", { list, filter, rows, expiresAt, format });
        const { position, ...started } = await listExports.start(counted, format, envelope);
        requests.position(response, position);
        return succeed(started);
      },
    }),
  ]);
}
