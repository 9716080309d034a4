import { DashboardReply } from "#contracts/http/figures.ts";
import { DEFAULT_PERIOD, PERIODS } from "#contracts/report/periods.ts";
import { succeed } from "#http/envelope.ts";
import { READINESS_KEPT_MS } from "#http/health.ts";
import type { ServiceInstance } from "#http/service.ts";
import { loadParts } from "../analytics/parts.ts";
import { periodFigures } from "../analytics/period-figures.queries.ts";
import { spansOf } from "../analytics/span.ts";
import { keptFor } from "../figures/kept-for.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { countReports, countUsers, recentActivity } from "./dashboard.queries.ts";
import { checkReadModels } from "./read-model-health.ts";

/** The console's first page: what there is, what waits and whether all is well. For admins. */
export function dashboardRoutes(
  app: ServiceInstance,
  { db, store, caches, freshness }: ReadSide,
): void {
  // All callers share one run of the checks: they ask every store.
  const checkHealth = keptFor(READINESS_KEPT_MS, async () => {
    const [{ checks }, models] = await Promise.all([
      app.checkReadiness(),
      checkReadModels(db, store),
    ]);
    const own = Object.entries(checks).map(([name, { ok }]) => ({ name, ok }));
    const all = [...own, ...models];
    const status = all.every(({ ok }) => ok) ? ("healthy" as const) : ("degraded" as const);
    return { status, checks: all };
  });
  const health = caches.add(checkHealth);
  const read = reads(
    ["admin"],
    "moderation",
    freshness.waitFor(["reports", "accounts", "users"], "any"),
  );
  app.get(
    "/prod/api/admin/dashboard",
    read({
      summary: "What there is, what waits, the last 30 days, and whether all is well",
      reply: DashboardReply,
    }),
    async (request) => {
      const now = Date.now();
      const period = PERIODS[DEFAULT_PERIOD];
      const parts = await loadParts(
        {
          users: () => countUsers(db, spansOf(period, now).span.from),
          reports: () => countReports(db),
          activity: () => recentActivity(db),
          figures: () => periodFigures(db, period, now),
          health,
        },
        request.log,
      );
      return succeed(parts);
    },
  );
}
