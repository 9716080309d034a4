import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { ReadinessCheck } from "#http/health.ts";
import { Caches } from "#operations/caches.ts";
import { ProcessReporter } from "#operations/process-reporter.ts";
import { installOperations } from "#operations/process-table.ts";
import type { StoreSettings } from "#runtime/config/shared-settings.ts";
import { CONNECTIONS } from "#runtime/config/variables.ts";
import { openPool } from "#runtime/db/pool.ts";
import { rightsOf } from "#runtime/db/service-roles.ts";
import { BackupKeeper } from "./backup-keeper.ts";
import { backupProcess } from "./backup-process.ts";
import { BackupRequests } from "./backup-requests.ts";

const SERVICE = "backup";

export interface BackupService {
  start(): void;
  stop(): Promise<void>;
  /** The checks of `/readyz`. */
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
}

/** Opens what the configuration names. The log, keys and files are opened by the program that makes a backup. */
export async function composeBackup(config: StoreSettings, log: Logger): Promise<BackupService> {
  const pool = openPool({
    url: config.databaseUrl,
    name: SERVICE,
    max: config.connections ?? CONNECTIONS.backup.most,
    prepares: true,
    onLost: (err) => log.warn({ err }, "a database connection was lost"),
  });
  await installOperations(pool);
  const keeper = new BackupKeeper({
    requests: new BackupRequests(pool, randomUUID()),
    make: backupProcess(log),
    log,
  });
  const reporter = new ProcessReporter({
    beatMs: config.beatMs,
    restart: config.endToRestart,
    caches: new Caches(),
    pool,
    service: SERVICE,
    parts: [],
    log,
  });
  return {
    checks: {
      database: async () => ({ ok: true, detail: { rights: await rightsOf(pool, SERVICE) } }),
    },
    start() {
      reporter.start();
      keeper.start();
    },
    async stop() {
      await keeper.stop();
      await reporter.stop();
      await pool.end();
    },
  };
}
