import { LOG_STREAM } from "#event-store/log-epoch.ts";
import type { KeyedProjection } from "../keyed/keyed-projection.ts";

/** What the projections of reports have in common. */
export const ofReports = {
  filter: { streamPrefixes: ["report-", LOG_STREAM] },
  opens: true,
  erasedBy: ["ReportDeleted"],
} as const satisfies Partial<KeyedProjection>;
