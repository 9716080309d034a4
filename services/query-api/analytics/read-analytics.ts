import type { FastifyBaseLogger } from "fastify";
import type { Static } from "typebox";
import type { AnalyticsQuery } from "#contracts/http/analytics.ts";
import { DEFAULT_PERIOD, PERIODS } from "#contracts/report/periods.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { loadParts, periodFigures, spansOf } from "./period-figures.queries.ts";
import { topOffenders } from "./top.queries.ts";
import { topReporters } from "./top-reporters.queries.ts";

/** The figures of a period that ends today. A part that could not be read is null. */
export async function readAnalytics(
  db: ReadModelDatabase,
  asked: Static<typeof AnalyticsQuery>["period"] = DEFAULT_PERIOD,
  log: FastifyBaseLogger,
) {
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
    log,
  );
  return { period: name, time_zone: "UTC" as const, ...parts };
}
