import { ADMIN_PAYMENTS, PaymentsQuery, PaymentsReply } from "#contracts/http/documents.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { listedReport } from "../listed-report.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { presentResolution } from "../resolutions/resolutions.queries.ts";
import { findPayments } from "./payments.queries.ts";

/** The fees of all reports, with their payments. */
export function paymentRoutes(app: ServiceInstance, { db, freshness }: ReadSide): void {
  const read = reads(["admin"], "moderation", freshness.waitFor(["reports"], "any"));
  app.get(
    ADMIN_PAYMENTS,
    read({
      summary: "RESOLVED banner fees of all reports, with their payments",
      querystring: PaymentsQuery,
      reply: PaymentsReply,
    }),
    async ({ query }) => {
      const { rows, ...next } = await findPayments(db, query);
      const shown = rows.flatMap((row) => {
        const resolution = presentResolution(row.resolution, row.resolution_at);
        if (!resolution) return [];
        const { stage, fee, changed_at, payments } = resolution;
        return [{ report: listedReport(row), stage, fee, changed_at, payments }];
      });
      return succeed({ payments: shown, ...next });
    },
  );
}
