import type { Logger } from "pino";
import { filesCheck } from "#files/port.ts";
import { countersCheck } from "#http/counters/redis/shared-counters.ts";
import { storeChecks } from "#http/health.ts";
import type { ServiceInstance } from "#http/service.ts";
import { ProcessReporter } from "#operations/process-reporter.ts";
import { seenServers } from "#operations/running-server.ts";
import { rightsOf } from "#runtime/db/service-roles.ts";
import { buildQueryApp } from "./app.ts";
import type { QueryApiConfig } from "./config.ts";
import { openReadSide } from "./read-side.ts";
import { polledServers } from "./system/asked-processes.ts";

const SERVICE = "query-api";

/** Whether command-api's tables that this service reads exist. It creates them on its first start. */
const COMMAND_TABLES = `
  select to_regclass('command.session') is not null as accounts,
         to_regclass('views.report_views') is not null as views`;

export interface QueryApi {
  readonly app: ServiceInstance;
  /** Builds another instance behind other proxies, with the same counters; stopping the service stops both. */
  buildApp(trustProxyHops: number): Promise<ServiceInstance>;
  /** Number of reads waiting for a projection right now. */
  waitingReads(): number;
  start(): Promise<void>;
  /** Stops the HTTP side first, then closes the stores. */
  stop(): Promise<void>;
}

/** Opens the stores and builds the service. If one fails to open, closes the others. */
export async function composeQueryApi(config: QueryApiConfig, log: Logger): Promise<QueryApi> {
  await using opened = new AsyncDisposableStack();
  const side = await openReadSide(config, log, opened);
  const { pool, keys, store, search, stored, parts, caches, asked } = side;
  const { watcher, present, layouts, sharedCounters } = side;
  const reporter = new ProcessReporter({
    beatMs: config.beatMs,
    restart: config.endToRestart,
    caches,
    pool,
    service: SERVICE,
    parts,
    servers: seenServers(polledServers(config, { pool, asked })),
    log,
  });
  const tokens = { verifier: await keys.tokenVerifier() };

  const apps: ServiceInstance[] = [];
  const build = (trustProxyHops: number) =>
    buildQueryApp(side, {
      version: config.version,
      log,
      tokens,
      limits: config.limits,
      sharedCounters,
      // All instances share counters, so a visitor's own requests and those the site makes for them add up.
      counters: apps[0]?.limits.counters,
      trustProxyHops,
      corsOrigins: config.corsOrigins,
      processMetrics: config.processMetrics,
      tls: config.tls,
      checks: {
        database: async () => {
          const { rows } = await pool.query<{ accounts: boolean; views: boolean }>(COMMAND_TABLES);
          const [found = { accounts: false, views: false }] = rows;
          const rights = await rightsOf(pool, SERVICE);
          return { ok: found.accounts && found.views, detail: { ...found, rights } };
        },
        layouts: () => layouts.check(),
        ...storeChecks(SERVICE, { keys, event_log: store }),
        search: async () => {
          const { matching } = await search.index.state();
          return { ok: true, detail: { matching } };
        },
        ...countersCheck(sharedCounters),
        ...filesCheck(stored),
      },
    });

  const app = await build(config.trustProxyHops);
  apps.push(app);
  const stores = opened.move();
  return {
    app,
    async buildApp(trustProxyHops) {
      const another = await build(trustProxyHops);
      apps.push(another);
      return another;
    },
    waitingReads: () => watcher.waiting,
    async start() {
      reporter.start();
      present.start();
      await watcher.start();
    },
    async stop() {
      await Promise.all(apps.map((each) => each.close()));
      await reporter.stop();
      await stores.disposeAsync();
    },
  };
}
