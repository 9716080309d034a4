import {
  EXPORT_LIST,
  ExportStartedReply,
  LIST_EXPORTS,
  StartExport,
} from "#contracts/http/list-exports.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { invalidRequest } from "#http/validation.ts";
import { listExportSeals } from "#vault/links/list-export.ts";
import { aggregateIdOf } from "#vault/sealing/hashes.ts";
import { commandsOf } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";
import { listExport } from "./access.aggregate.ts";

const TICKET_MS = 60_000;

/** Registers the route that records an export of a list and returns the ticket for its rows. */
export function listExportRoute(app: ServiceInstance, { handler, positionKey }: WriteSide): void {
  const seals = listExportSeals(positionKey);
  const command = commandsOf(app, "audit");
  command("POST", LIST_EXPORTS, {
    roles: ["admin", "auditor"],
    limit: "list_export",
    summary: "Log the export of a counted list, and get a ticket for its rows",
    body: StartExport,
    reply: ExportStartedReply,
    async run(request) {
      const { statement, format } = request.body;
      // The read side counts only what the caller's role may export.
      const counted = seals.count.open(statement, new Date().toISOString());
      if (!counted || counted.accountId !== request.actor.id)
        throw invalidRequest({ statement: "This count has expired or isn't yours. Count again" });
      // Includes the count's expiry: a later count of the same rows is another export and needs its own key.
      const { accountId, list, filter, rows, expiresAt } = counted;
      const envelope = request.envelope("", { list, filter, rows, expiresAt, format });
      const id = aggregateIdOf(envelope.id);
      const command = { type: EXPORT_LIST.type, list, format, rows, filter } as const;
      const aggregate = listExport(id, accountId);
      const { position } = await handler.execute(aggregate, command, envelope, { creates: true });
      // The ticket expires with the count at the latest.
      const until = Math.min(Date.parse(envelope.caller.now) + TICKET_MS, Date.parse(expiresAt));
      const ends = { exportId: id, format, expiresAt: new Date(until).toISOString() };
      const ticket = seals.ticket.seal({ ...counted, ...ends });
      return succeed({ id, rows, ticket }, { position });
    },
  });
}
