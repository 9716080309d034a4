import { AnalyticsQuery } from "#contracts/http/analytics.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { readAnalytics } from "../analytics/read-analytics.ts";
import { type ExportedList, filterReader } from "./exported-list.ts";

const readFilter = filterReader({ period: AnalyticsQuery.properties.period });

/** The figures of a period, which the console has and writes itself. They are counted for the log. */
export function exportedAnalytics(db: ReadModelDatabase): ExportedList {
  return {
    columns: [],
    async count(filter, log) {
      const { period } = readFilter(filter);
      const { figures, top_reporters, top_offenders } = await readAnalytics(db, period, log);
      const named = (top_reporters?.length ?? 0) + (top_offenders?.length ?? 0);
      return { rows: (figures?.points.length ?? 0) + named };
    },
    page: () => Promise.resolve({ rows: [] }),
  };
}
