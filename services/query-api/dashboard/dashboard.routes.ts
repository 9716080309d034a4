import { setTimeout as delay } from "node:timers/promises";
import { DashboardReply } from "#contracts/http/analytics.ts";
import { DEFAULT_PERIOD, PERIODS } from "#contracts/report/periods.ts";
import { succeed } from "#http/envelope.ts";
import { READINESS_CACHE_MS } from "#http/health.ts";
import type { ServiceInstance } from "#http/service.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import { shareResult } from "#runtime/lifecycle/back-off.ts";
import { loadParts, periodStats, spansOf } from "../analytics/period-stats.queries.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { countReports, countUsers, recentActivity } from "./dashboard.queries.ts";

/** The console's dashboard: totals, pending work and system health. For admins. */
export function dashboardRoutes(
  app: ServiceInstance,
  { db, store, caches, freshness }: ReadSide,
): void {
  // All callers share one run of the checks, because they query every store.
  const checkHealth = shareResult(async () => {
    const [{ checks }, models] = await Promise.all([
      app.checkReadiness(),
      checkReadModels(db, store),
    ]);
    const own = Object.entries(checks).map(([name, { ok }]) => ({ name, ok }));
    const all = [...own, ...models];
    const status = all.every(({ ok }) => ok) ? ("healthy" as const) : ("degraded" as const);
    return { status, checks: all };
  }, READINESS_CACHE_MS);
  const health = caches.add(checkHealth);
  const read = reads(
    ["admin"],
    "moderation",
    freshness.waitFor(["reports", "accounts", "users"], "any"),
  );
  app.get(
    "/prod/api/admin/dashboard",
    read({
      summary: "Totals, pending work, the last 30 days, and system health",
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
          figures: () => periodStats(db, period, now),
          health,
        },
        request.log,
      );
      return succeed(parts);
    },
  );
}

/** The event log, from which only the last position is read. */
interface LogHead {
  head(): Promise<string>;
}

interface NamedCheck {
  readonly name: string;
  readonly ok: boolean;
}

/** A lagging processor is checked again after this long: it may be working. */
const TIMEOUT_MS = 500;
/** A processor that lags and hasn't moved for this long has stalled. */
const STILL_MS = 10_000;

/** Checks whether the read models follow the log: no processor has stalled behind its head, and no event is parked. */
export async function checkReadModels(
  db: ReadModelDatabase,
  store: LogHead,
): Promise<NamedCheck[]> {
  const head = await store.head();
  const parked = await db
    .selectFrom("processor.parked_stream")
    .select("stream")
    .limit(1)
    .executeTakeFirst();
  let isStill = await standsStill(db, head);
  if (isStill) {
    await delay(TIMEOUT_MS);
    isStill = await standsStill(db, head);
  }
  return [
    { name: "read_models", ok: !isStill },
    { name: "parked_events", ok: parked === undefined },
  ];
}

async function standsStill(db: ReadModelDatabase, head: string): Promise<boolean> {
  const behind = await db
    .selectFrom("processor.checkpoint")
    .select("processor")
    .where("position", "<", head)
    .where("moved_at", "<", new Date(Date.now() - STILL_MS))
    .limit(1)
    .executeTakeFirst();
  return behind !== undefined;
}
