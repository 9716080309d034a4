import { AnalyticsQuery, AnalyticsReply } from "#contracts/http/analytics.ts";
import { DEFAULT_PERIOD, PERIODS } from "#contracts/report/periods.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { ReadYourWrites } from "../freshness/read-your-writes.ts";
import { loadParts } from "./parts.ts";
import { periodFigures } from "./period-figures.queries.ts";
import { spansOf } from "./span.ts";
import { topOffenders } from "./top-offenders.queries.ts";
import { topReporters } from "./top-reporters.queries.ts";

/** Figures of the registry over a period, for admins. */
export function analyticsRoutes(
  app: ServiceInstance,
  { db, freshness }: { readonly db: ReadModelDatabase; readonly freshness: ReadYourWrites },
): void {
  app.get(
    "/prod/api/admin/analytics",
    {
      config: { roles: ["admin"], limit: "read" },
      schema: {
        tags: ["moderation"],
        summary: "Figures of a period, and who reported and was reported most",
        querystring: AnalyticsQuery,
        response: { 200: AnalyticsReply },
      },
      preHandler: freshness.waitFor(["reports", "offenders"], "any"),
    },
    async (request) => {
      const { period: asked = DEFAULT_PERIOD } = request.query;
      const name = asked === "30d" ? "30days" : asked;
      const now = Date.now();
      const period = PERIODS[name];
      const { span } = spansOf(period, now);
      const parts = await loadParts(
        {
          figures: () => periodFigures(db, period, now),
          top_reporters: () => topReporters(db, span),
          top_offenders: () => topOffenders(db, span),
        },
        request.log,
      );
      return succeed({ period: name, time_zone: "UTC" as const, ...parts });
    },
  );
}
