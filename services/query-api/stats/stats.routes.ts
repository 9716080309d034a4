import { StatsReply } from "#contracts/http/analytics.ts";
import { ROLES } from "#http/actor.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { shareResult } from "#runtime/lifecycle/back-off.ts";
import type { ReadSide } from "../read-side.ts";
import { reads } from "../reads.ts";
import { registryStats } from "./stats.queries.ts";

const CACHE_MS = 60_000;

/** Totals of the registry. Doesn't wait for a log position, since the figures may be a minute old. */
export function statsRoutes(app: ServiceInstance, { db, caches }: ReadSide): void {
  const figures = caches.add(shareResult(() => registryStats(db), CACHE_MS));
  const read = reads(ROLES, "public reports");
  app.get(
    "/prod/api/figures",
    read({
      summary: "Number of approved reports and people, with sums by currency",
      reply: StatsReply,
    }),
    async () => succeed(await figures()),
  );
}
