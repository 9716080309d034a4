import type { Logger } from "pino";
import type { CounterStore } from "#kit/counters/port.ts";
import type { AccountGate } from "#kit/http/auth.ts";
import type { ReadinessCheck } from "#kit/http/health.ts";
import { createService, type ServiceInstance } from "#kit/http/service.ts";
import type { KeyStore } from "#kit/keys/key-store.ts";
import type { BlindIndexer } from "#kit/sealing/blind-index.ts";
import type { ReadModelDatabase } from "#read-model/database.ts";
import type { SearchIndex } from "#search/port.ts";
import { ActorNames } from "./actors/actor-names.ts";
import { adminReportRoutes } from "./admin-reports/admin-reports.routes.ts";
import { auditLogRoutes } from "./audit-log/audit-log.routes.ts";
import { AuditReader } from "./audit-log/audit-reader.ts";
import type { CheckpointWatcher } from "./freshness/checkpoint-watcher.ts";
import { createReadYourWrites } from "./freshness/read-your-writes.ts";
import { ReportHistories, type ReportHistoryDeps } from "./history/history.reader.ts";
import { historyRoutes } from "./history/history.routes.ts";
import { offenderRoutes } from "./offenders/offenders.routes.ts";
import { profileRoutes } from "./profile/profile.routes.ts";
import { reportRoutes } from "./reports/reports.routes.ts";
import { samplesRoutes } from "./samples/samples.routes.ts";
import { searchRoutes } from "./search/search.routes.ts";

export interface QueryAppDeps {
  readonly version: string;
  readonly log: Logger;
  readonly db: ReadModelDatabase;
  readonly watcher: Pick<CheckpointWatcher, "reach">;
  readonly index: Pick<SearchIndex, "search">;
  /** The event log, for the replay of a report's history alone. */
  readonly store: ReportHistoryDeps["store"];
  readonly keys: KeyStore;
  readonly gate: AccountGate;
  /** Service key `tokens`. */
  readonly tokenKey: Buffer;
  /** Over the service key `blind-index`. */
  readonly blind: BlindIndexer;
  /** Keyed hash of a slug, over the service key `slugs`. */
  readonly slugHash: (slug: string) => string;
  readonly limits: "on" | "off";
  /** Where limits count; in the memory of this service when absent. */
  readonly counters?: CounterStore;
  readonly trustProxyHops: number;
  readonly corsOrigins?: readonly string[];
  readonly originToken?: string;
  readonly checks?: Readonly<Record<string, ReadinessCheck>>;
  readonly processMetrics?: boolean;
}

/** The read side over HTTP. */
export async function buildQueryApp(deps: QueryAppDeps): Promise<ServiceInstance> {
  const { db, keys, index, blind, slugHash } = deps;
  const app = await createService({
    name: "query-api",
    version: deps.version,
    log: deps.log,
    tokenKey: deps.tokenKey,
    accounts: deps.gate,
    limits: deps.limits,
    trustProxyHops: deps.trustProxyHops,
    ...(deps.counters ? { counters: deps.counters } : {}),
    ...(deps.checks ? { checks: deps.checks } : {}),
    ...(deps.corsOrigins ? { corsOrigins: deps.corsOrigins } : {}),
    ...(deps.originToken ? { originToken: deps.originToken } : {}),
    ...(deps.processMetrics === undefined ? {} : { processMetrics: deps.processMetrics }),
  });
  // What everybody may read may be kept, if it is asked for anew each time; the rest may not.
  app.addHook("preHandler", async ({ headers, routeOptions }, reply) => {
    const vary = reply.getHeader("vary");
    reply.header("vary", vary ? `${vary}, Authorization` : "Authorization");
    const isPublic = routeOptions.config.roles?.includes("visitor") ?? false;
    if (isPublic && headers.authorization === undefined) reply.header("cache-control", "no-cache");
  });

  const freshness = createReadYourWrites(db, deps.watcher);
  const names = new ActorNames(db, keys);
  const audit = new AuditReader({ db, keys, names });
  const histories = new ReportHistories({ store: deps.store, keys, db, names, audit });
  reportRoutes(app, { db, freshness, slugHash });
  searchRoutes(app, { db, freshness, index, blind });
  offenderRoutes(app, { db, freshness });
  adminReportRoutes(app, { db, freshness });
  auditLogRoutes(app, { audit, freshness });
  historyRoutes(app, { histories, freshness });
  samplesRoutes(app, { db });
  profileRoutes(app, { db, keys, names, freshness });
  return app;
}
