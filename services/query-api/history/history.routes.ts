import { Type } from "typebox";
import { HistoryQuery, HistoryReply } from "#contracts/http/admin-reports.ts";
import { strict } from "#contracts/report/fields.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { ReadSide } from "../read-side.ts";
import { ReportHistories } from "./history.reader.ts";

const Id = strict({ id: Type.String({ format: "uuid" }) });

/** A report's events with the changes that each made, and the report at any revision. */
export function historyRoutes(app: ServiceInstance, side: ReadSide): void {
  const histories = new ReportHistories(side);
  app.get(
    "/prod/api/admin/reports/:id/history",
    {
      config: { roles: ["admin", "auditor"], limit: "read" },
      schema: {
        tags: ["audit"],
        summary: "Everything that happened to a report, replayed from the log",
        params: Id,
        querystring: HistoryQuery,
        response: { 200: HistoryReply },
      },
      // The events come from the log itself. Who opened sealed data comes from the audit tables.
      preHandler: side.freshness.waitFor(["audit"], "one"),
    },
    async (request) => {
      const reader = request.actor.role === "admin" ? "moderator" : "auditor";
      const id = request.params.id.toLowerCase();
      return succeed(await histories.read(id, reader, request.query, request.log));
    },
  );
}
