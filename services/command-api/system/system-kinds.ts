import type { Pool } from "pg";
import type { Logger } from "pino";
import type { ServiceInstance } from "#http/service.ts";
import type { CommandApiConfig } from "../config.ts";
import type { JobKind } from "../jobs/job-kind.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { type Backups, checkBackups, createBackup } from "./backups.ts";
import { checkUpdates } from "./check-updates.ts";
import { clearCache } from "./clear-cache.ts";
import { RequestStore } from "./request.store.ts";
import { restart } from "./restart.ts";
import { runningServers } from "./running-servers.ts";
import { certificateCheck } from "./scan/certificate-check.ts";
import { configurationChecks } from "./scan/configuration-checks.ts";
import { databaseChecks } from "./scan/database-checks.ts";
import { openMetricsCheck } from "./scan/open-metrics.ts";
import { secretChecks } from "./scan/secret-checks.ts";
import { securityScan } from "./security-scan.ts";
import { systemActionKind } from "./system-action.ts";

/** The jobs that do something with the registry as a whole. */
export function systemKinds(deps: {
  readonly config: CommandApiConfig;
  readonly pool: Pool;
  readonly handler: CommandHandler;
  readonly log: Pick<Logger, "warn">;
  /** Absent where backups are made by the operator's command alone. */
  readonly backups: Backups | undefined;
  /** Whether staff need a second factor now. */
  readonly staffFactor: () => "on" | "off";
  /** The service itself, once it is built. */
  readonly app: () => Pick<ServiceInstance, "inject">;
}): JobKind[] {
  const { config, pool, handler, log, backups, staffFactor, app } = deps;
  const stores = {
    DATABASE_URL: config.databaseUrl,
    EVENT_STORE_URL: config.eventStoreUrl,
    KEYS_URL: config.keysUrl,
    RATE_LIMIT_URL: config.rateLimitUrl,
  };
  const requests = new RequestStore(pool);
  const isAsked = !config.backups?.make;
  const actions = [
    ...(config.endToRestart ? [restart(requests)] : []),
    ...(backups ? [createBackup(backups, isAsked), checkBackups(backups, isAsked)] : []),
    checkUpdates({
      version: config.version,
      asks: config.updateCheck === "on",
      servers: runningServers(config),
      pool,
      log,
    }),
    clearCache(requests),
    securityScan(
      [
        ...configurationChecks({ ...config, staffFactor }),
        ...secretChecks(stores, config.masterKeys),
        ...databaseChecks(pool),
        certificateCheck({ ...stores, PUBLIC_URL: config.publicUrl }, () => Date.now()),
        openMetricsCheck(app),
      ],
      { log },
    ),
  ];
  return actions.map((action) => systemActionKind(action, { handler }));
}
