import { AnalyticsQuery, AnalyticsReply } from "#contracts/http/analytics.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { readAnalytics } from "./read-analytics.ts";

/** Figures of the registry over a period, for admins. */
export function analyticsRoutes(app: ServiceInstance, { db, freshness }: ReadSide): void {
  const read = reads(["admin"], "moderation", freshness.waitFor(["reports", "offenders"], "any"));
  app.get(
    "/prod/api/admin/analytics",
    read({
      summary: "Figures of a period, and who reported and was reported most",
      querystring: AnalyticsQuery,
      reply: AnalyticsReply,
    }),
    async (request) => succeed(await readAnalytics(db, request.query.period, request.log)),
  );
}
