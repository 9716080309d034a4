import { Type } from "typebox";
import { AUDITED_EVENT, AuditedEventReply } from "#contracts/http/audit.ts";
import { strict } from "#contracts/report/fields.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { AuditedEvents } from "./audited-event.ts";

const Id = strict({ id: Type.String({ format: "uuid" }) });

/** The event behind an entry of the audit log. */
export function auditedEventRoutes(app: ServiceInstance, side: ReadSide): void {
  const events = new AuditedEvents(side);
  const read = reads(["admin", "auditor"], "audit", side.freshness.waitFor(["audit"], "one"));
  app.get(
    AUDITED_EVENT,
    read({
      summary: "The event behind an entry of the audit log, and whether its chain fits",
      params: Id,
      reply: AuditedEventReply,
    }),
    async (request) => succeed(await events.read(request.params.id.toLowerCase(), request.log)),
  );
}
