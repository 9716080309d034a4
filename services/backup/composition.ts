import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { openEventStore } from "#event-store/open-event-store.ts";
import type { ReadinessCheck } from "#http/health.ts";
import { ProcessReporter } from "#operations/process-reporter.ts";
import { installOperations } from "#operations/process-table.ts";
import { Caches } from "#operations/request-table.ts";
import type { StoreSettings } from "#runtime/config/shared-settings.ts";
import { CONNECTIONS } from "#runtime/config/store-variables.ts";
import { divideConnections, openPool } from "#runtime/db/pool.ts";
import { rightsOf } from "#runtime/db/service-roles.ts";
import { logDebug } from "#runtime/log.ts";
import { SettingsFollower } from "#settings/settings-follower.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { BackupKeeper, BackupRequests } from "./backup-keeper.ts";
import { backupProcess } from "./backup-process.ts";

const SERVICE = "backup";

export interface BackupService {
  start(): void;
  stop(): Promise<void>;
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
}

/** Without keys the maintenance message stays encrypted; the other settings are plain text. */
const NO_KEYS: Pick<KeyStore, "get"> = { get: async () => new Map() };

/** Opens the database, and the log for the settings. The backup program itself opens what it backs up. */
export async function composeBackup(config: StoreSettings, log: Logger): Promise<BackupService> {
  const connections = divideConnections(config.connections ?? CONNECTIONS.backup.most, {
    database: { url: config.databaseUrl, weight: 1 },
    log: { url: config.eventStoreUrl, weight: 1 },
  });
  const pool = openPool({
    url: config.databaseUrl,
    name: SERVICE,
    max: connections.database,
    prepares: true,
    onLost: (err) => log.warn({ err }, "lost a database connection"),
  });
  // Closed again if the rest fails: a process that waits for its stores composes more than once.
  await using opening = new AsyncDisposableStack();
  opening.defer(() => pool.end());
  await installOperations(pool);
  const store = await openEventStore(config.eventStoreUrl, {
    install: false,
    maxConnections: connections.log,
    name: `${SERVICE} log`,
    log,
  });
  opening.defer(() => store.close());
  const follower = new SettingsFollower({
    store,
    keys: NO_KEYS,
    log,
    onChange: ({ debugMode }) => logDebug(log, debugMode),
  });
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
  const stores = opening.move();
  return {
    checks: {
      database: async () => ({ ok: true, detail: { rights: await rightsOf(pool, SERVICE) } }),
    },
    start() {
      follower.start();
      reporter.start();
      keeper.start();
    },
    async stop() {
      await keeper.stop();
      await reporter.stop();
      await follower.stop();
      await stores.disposeAsync();
    },
  };
}
