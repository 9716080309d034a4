import { AnalyticsQuery, AnalyticsReply } from "#contracts/http/analytics.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { readAnalytics } from "./analytics.queries.ts";

/** Statistics of the registry over a period, for admins. */
export function analyticsRoutes(app: ServiceInstance, { db, freshness }: ReadSide): void {
  const read = reads(["admin"], "moderation", freshness.waitFor(["reports", "offenders"], "any"));
  app.get(
    "/prod/api/admin/analytics",
    read({
      summary: "Statistics of a period, with top reporters and offenders",
      querystring: AnalyticsQuery,
      reply: AnalyticsReply,
    }),
    async (request) => succeed(await readAnalytics(db, request.query.period, request.log)),
  );
}
