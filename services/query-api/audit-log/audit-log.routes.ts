import { Type } from "typebox";
import { DomainError } from "#contracts/domain-error.ts";
import { AuditEntry, AuditQuery, AuditReply } from "#contracts/http/audit.ts";
import { strict } from "#contracts/report/fields.ts";
import { AUDIT_BOUNDS } from "#http/bounds.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { createPlacedReader, PlacedQuery, pageOf, sendPlaces, sendRange } from "../placed-lists.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { AUDIT_KEYS, narrow } from "./audit-log.queries.ts";

const Id = strict({ id: Type.String({ format: "uuid" }) });

const { search, status, action } = AuditQuery.properties;
const ListFilter = strict({
  search,
  /** react-admin's parameter for full-text search. */
  q: search,
  status,
  action,
  id: Type.Optional(Type.Array(Type.String({ format: "uuid" }), { maxItems: 1000 })),
});
const readList = createPlacedReader("audit-logs", ListFilter, AUDIT_KEYS);

/** Who did what, when and from where: one entry per event. */
export function auditLogRoutes(app: ServiceInstance, { audit, freshness }: ReadSide): void {
  const read = reads(["admin", "auditor"], "audit", freshness.waitFor(["audit"], "any"));

  app.get(
    "/prod/api/admin/audit-logs",
    read({
      summary: "The audit log, newest first",
      querystring: AuditQuery,
      reply: AuditReply,
    }),
    async (request) => {
      const { page = 1, limit = 25, ...filter } = request.query;
      const { entries, total } = await audit.list(
        narrow(filter),
        { field: "timestamp", order: "desc" },
        pageOf(page, limit),
        request.log,
      );
      return succeed({ logs: entries, total, page, limit });
    },
  );

  app.get(
    "/prod/admin/audit-logs",
    read({
      summary: "The audit log for ra-data-simple-rest",
      querystring: PlacedQuery,
      reply: Type.Array(AuditEntry),
      bounds: AUDIT_BOUNDS,
    }),
    async (request, response) => {
      const { page, sort, filter, of } = readList(request.query);
      const { q, search: words = q, ...rest } = narrow(filter);
      const wanted = words === undefined ? rest : { ...rest, search: words };
      const { entries, places, total } = await audit.list(wanted, sort, page, request.log);
      sendRange(response, "audit-logs", page.offset, entries.length, total);
      sendPlaces(response, of, places, ({ key }) => key);
      return entries;
    },
  );

  app.get(
    "/prod/admin/audit-logs/:id",
    read({
      summary: "An entry of the audit log, by event ID",
      params: Id,
      reply: AuditEntry,
    }),
    async (request) => {
      const entry = await audit.one(request.params.id.toLowerCase(), request.log);
      if (!entry) throw new DomainError("not_found", "Audit log entry not found");
      return entry;
    },
  );
}
