import type { Logger } from "pino";
import { filesCheck } from "#files/port.ts";
import { countersCheck } from "#http/counters/redis/shared-counters.ts";
import { storeChecks } from "#http/health.ts";
import { createPostgresAccountGate } from "#http/postgres-account-gate.ts";
import type { ServiceInstance } from "#http/service.ts";
import { counterParts, filesPart, storeParts } from "#operations/part-check.ts";
import { ProcessReporter } from "#operations/process-reporter.ts";
import { Caches } from "#operations/request-table.ts";
import { buildCommandApp } from "./app.ts";
import type { CommandApiConfig } from "./config.ts";
import { openSweeps } from "./housekeeping/housekeeping.ts";
import { ObservedCalls } from "./security/observed-calls.ts";
import { openWriteSide, type WriteSide } from "./write-side.ts";

const SERVICE = "command-api";

export interface CommandApi extends WriteSide {
  readonly app: ServiceInstance;
  readonly observed: ObservedCalls;
  start(): Promise<void>;
  /** Stops the HTTP side first, then flushes pending work, then closes the stores. */
  stop(): Promise<void>;
}

/** Opens the stores that the configuration names and builds the service over them. */
export async function composeCommandApi(
  config: CommandApiConfig,
  log: Logger,
): Promise<CommandApi> {
  // Disposes the stores if the rest fails: a process that waits for its stores retries composition.
  await using opening = new AsyncDisposableStack();
  const side = await openWriteSide(config, log, opening, () => app);
  const { pool, keys, store, handler, stored, jobs, admins, follower, sharedCounters } = side;
  const app: ServiceInstance = await buildCommandApp(side, {
    version: config.version,
    log,
    tokens: { verifier: await keys.tokenVerifier(), signer: await keys.liveKey("tokens") },
    accounts: createPostgresAccountGate(pool, {
      staffSecondFactor: side.staffFactor,
      staffIdleMinutes: () => side.settings().sessionTimeout,
      recordsActivity: true,
    }),
    limits: config.limits,
    sharedCounters,
    trustProxyHops: config.trustProxyHops,
    corsOrigins: config.corsOrigins,
    originToken: config.originToken,
    processMetrics: config.processMetrics,
    tls: config.tls,
    checks: {
      ...storeChecks(SERVICE, { database: pool, keys, event_log: store }),
      ...countersCheck(sharedCounters),
      ...filesCheck(stored),
    },
  });

  const reporter = new ProcessReporter({
    beatMs: config.beatMs,
    restart: config.endToRestart,
    caches: new Caches(),
    pool,
    service: SERVICE,
    parts: [
      ...storeParts(config, { pool, store, keys }),
      filesPart(config, stored),
      ...counterParts(sharedCounters),
    ],
    log,
  });
  const observed = new ObservedCalls({ pool, handler, admins });
  const sweeps = openSweeps({ ...side, observed }, log);
  const stores = opening.move();
  return {
    ...side,
    app,
    observed,
    async start() {
      reporter.start();
      follower.start();
      for (const sweep of sweeps) sweep.start();
      jobs.start();
      side.schedule?.start();
    },
    async stop() {
      const swept = sweeps.map((sweep) => sweep.stop());
      await app.close();
      await Promise.all([jobs.end(), side.schedule?.stop()]);
      await reporter.stop();
      await side.background.finish();
      await Promise.all(swept);
      await follower.stop();
      await side.views.stop();
      await stores.disposeAsync();
    },
  };
}
