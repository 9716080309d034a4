import type pg from "pg";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { ProcessorReport } from "#contracts/http/system.ts";
import type { EventStore } from "#event-store/port.ts";
import { type Readiness, type ReadinessCheck, runChecks, storeChecks } from "#http/health.ts";
import { storeParts } from "#operations/part-check.ts";
import { ProcessReporter } from "#operations/process-reporter.ts";
import { installOperations } from "#operations/process-table.ts";
import { Caches } from "#operations/request-table.ts";
import { readModelPool } from "#read-model/database.ts";
import { installReadModel } from "#read-model/install.ts";
import { PROCESSORS } from "#read-model/tables/processor.ts";
import { ConfigInvalid } from "#runtime/config/load-config.ts";
import { CONNECTIONS } from "#runtime/config/store-variables.ts";
import { chooseByScheme } from "#runtime/config/value-problems.ts";
import { withLock } from "#runtime/db/lock.ts";
import { type ConnectionOptions, divideConnections, openPool } from "#runtime/db/pool.ts";
import { Periodic } from "#runtime/lifecycle/periodic.ts";
import { logDebug } from "#runtime/log.ts";
import { PostgresSearchIndex } from "#search/postgres/postgres-search-index.ts";
import { SettingsFollower } from "#settings/settings-follower.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { openKeysAndLog } from "#vault/open-keys-and-log.ts";
import { type RegistryCodec, registryCodec } from "#vault/sealing/event-codec.ts";
import { slugHash } from "#vault/sealing/hashes.ts";
import type { ProjectorConfig } from "./config.ts";
import { LayoutUpgrade } from "./daemon/layout-upgrade.ts";
import { createProjectorMetrics, LogMonitor } from "./daemon/metrics.ts";
import { Processor, type ProcessorHealth, type ProcessorSettings } from "./daemon/processor.ts";
import type { Projection } from "./daemon/projection.ts";
import { ErasureRebuild } from "./erasure/erasure-rebuild.ts";
import { cleanErasedRows, RowCleaner } from "./erasure/row-cleaner.ts";
import { accountsProjection } from "./projections/accounts/accounts.projection.ts";
import { auditProjection } from "./projections/audit/audit.projection.ts";
import { contentProjection } from "./projections/content/content.projection.ts";
import { inquiriesProjection } from "./projections/inquiries/inquiries.projection.ts";
import { offendersProjection } from "./projections/offenders/offenders.projection.ts";
import { deleteExpiredAddresses } from "./projections/reports/address-book.ts";
import { reportsProjection } from "./projections/reports/reports.projection.ts";
import { searchProjection } from "./projections/search/search.projection.ts";
import {
  openSearchTarget,
  postgresTarget,
  type SearchTarget,
} from "./projections/search/search-target.ts";
import { settingsProjection } from "./projections/settings/settings.projection.ts";
import { forgetFailedSignIns, usersProjection } from "./projections/users/users.projection.ts";
import { createNotices } from "./reactions/notices/notices.ts";
import { outboxReaction } from "./reactions/outbox/outbox.reaction.ts";
import { rebuildLock } from "./rebuild.ts";
import { Shredder } from "./shredder/shredder.ts";

const SERVICE = "projector";

/** The open stores named by the configuration, and the projections that write to them. */
export interface ProjectorStores {
  readonly url: string;
  readonly pool: pg.Pool;
  /** One connection for the leases' heartbeats. */
  readonly beats: pg.Pool;
  readonly store: EventStore;
  readonly keys: KeyStore;
  readonly codec: RegistryCodec;
  readonly projections: readonly Projection[];
  /** Checks of stores outside the database. While there is nothing to write, only these checks use those stores. */
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  close(): Promise<void>;
}

/** Opens the stores and installs what is missing. @param options.statementMs `unlimited` for operator commands. */
export async function openProjectorStores(
  config: ProjectorConfig,
  log: Logger,
  options: Pick<ConnectionOptions, "statementMs"> = {},
): Promise<ProjectorStores> {
  const connections = divideConnections(config.connections ?? CONNECTIONS.projector.most, {
    database: { url: config.databaseUrl, weight: 2 },
    keys: { url: config.keysUrl, weight: 1 },
    log: { url: config.eventStoreUrl, weight: 2 },
    following: { url: config.eventStoreUrl, single: 1 },
    owned: { url: config.databaseUrl, single: PROCESSORS.length },
    beats: { url: config.databaseUrl, single: 1 },
  });
  const { database: max } = connections;
  const pool = readModelPool(config.databaseUrl, { ...options, name: SERVICE, max });
  const beats = openPool({ url: config.databaseUrl, name: `${SERVICE} heartbeats`, max: 1 });
  const closing: (() => Promise<unknown>)[] = [() => pool.end(), () => beats.end()];
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  try {
    await installReadModel(pool);
    await installOperations(pool);
    const search = await openSearch(config, pool);
    closing.push(() => search.close());
    const { keys, store } = await openKeysAndLog(config, SERVICE, connections, { log });
    closing.push(() => keys.close());
    closing.push(() => store.close());
    const slugKey = await keys.serviceKey("slugs");
    return {
      url: config.databaseUrl,
      pool,
      beats,
      store,
      keys,
      codec: registryCodec,
      projections: [
        reportsProjection((slug) => slugHash(slugKey, slug)),
        offendersProjection(),
        auditProjection(),
        accountsProjection(),
        contentProjection(),
        settingsProjection(),
        usersProjection(),
        inquiriesProjection(),
        searchProjection(search.target),
        outboxReaction(),
      ],
      checks: search.checks,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface OpenSearch {
  readonly target: SearchTarget;
  readonly checks: ProjectorStores["checks"];
  close(): Promise<void>;
}

/** Selects the engine by the URL's scheme. A processor installs an index outside the database itself. */
function openSearch(
  { searchUrl, databaseUrl }: ProjectorConfig,
  pool: pg.Pool,
): Promise<OpenSearch> {
  const outside = async (url: string) => {
    // Its client is hundreds of modules, so a process loads it only when the index is there.
    const { OpenSearchIndex } = await import("#search/opensearch/opensearch-search-index.ts");
    const index = new OpenSearchIndex(url);
    const search_index = async () => {
      await index.state();
      return { ok: true };
    };
    const target = openSearchTarget(index);
    return { target, checks: { search_index }, close: () => index.close() };
  };
  return chooseByScheme<Promise<OpenSearch>>("SEARCH_URL", searchUrl, {
    http: outside,
    https: outside,
    postgres: async (url) => {
      if (url !== databaseUrl)
        throw new ConfigInvalid([
          "SEARCH_URL with postgres: must be the same as DATABASE_URL: both are written in one transaction",
        ]);
      const index = new PostgresSearchIndex(pool);
      await index.install();
      return { target: postgresTarget(index), checks: {}, close: async () => undefined };
    },
  });
}

export interface Projector {
  readonly processors: readonly Processor[];
  readonly registry: Registry;
  /** Starts following the log. Resolves immediately. */
  start(): Promise<void>;
  /** Resolves when all erased keys are destroyed, and every processor here has reached the head. */
  ready(): Promise<void>;
  /** State and lag of every processor and of the shredder, and whether the stores answer. */
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  readiness(): Promise<Readiness>;
  health(): readonly ProcessorHealth[];
  /** Finishes the current batches, releases the leases and closes the stores. */
  stop(): Promise<void>;
}

const READY_POLL_MS = 20;
const MINUTE_MS = 60_000;

/** Opens the stores named by the configuration and creates the processors on them. */
export async function composeProjector(
  config: ProjectorConfig,
  { log, settings }: { readonly log: Logger; readonly settings?: ProcessorSettings },
): Promise<Projector> {
  const stores = await openProjectorStores(config, log);
  const { pool, store, keys, projections } = stores;
  const settingsFollower = new SettingsFollower({
    store,
    keys,
    log,
    onChange: ({ debugMode }) => logDebug(log, debugMode),
  });
  const upgrade = new LayoutUpgrade({ ...stores, log });
  const processors = projections.map(
    (projection) => new Processor({ ...stores, projection, upgrade, log }, settings),
  );
  const cleaner = new RowCleaner({ clean: () => cleanErasedRows(config.databaseUrl), log });
  const erasureRebuild = new ErasureRebuild({ ...stores, processors, log });
  const onErased = (times: readonly string[]) => {
    cleaner.record();
    erasureRebuild.record(times);
  };
  const shredder = new Shredder({ store, keys, log, onErased });
  const monitor = new LogMonitor({ store, pool, processors });
  const checks: Record<string, ReadinessCheck> = {
    ...storeChecks(SERVICE, { database: pool, keys, event_log: store }),
    ...stores.checks,
    shredder: async () => shredder.check(),
  };
  for (const processor of processors) checks[processor.name] = async () => monitor.check(processor);
  const reporter = new ProcessReporter({
    beatMs: config.beatMs,
    restart: config.endToRestart,
    caches: new Caches(),
    pool,
    service: SERVICE,
    parts: storeParts(config, { pool, store, keys }),
    processors: () => processorReports(processors, monitor),
    log,
  });

  const everyMinute = (failure: string, work: () => Promise<unknown>) =>
    new Periodic(work, { everyMs: MINUTE_MS, onError: (err) => log.warn({ err }, failure) });
  const periodic = [
    createNotices({ pool, store, log }),
    ...[dropLeftovers, dropOutsideLeftovers].map((drop) =>
      everyMinute("couldn't drop leftovers of a rebuild", async () => {
        for (const name of await drop(stores, projections))
          log.info({ name }, "dropped leftovers of a rebuild");
      }),
    ),
    everyMinute("couldn't delete old addresses of removed pages", () =>
      deleteExpiredAddresses(pool),
    ),
    everyMinute("couldn't delete failed sign-ins of past months", () => forgetFailedSignIns(pool)),
  ];
  return {
    processors,
    registry: createProjectorMetrics(processors, monitor),
    checks,
    async start() {
      settingsFollower.start();
      shredder.start();
      for (const processor of processors) processor.start();
      monitor.start();
      reporter.start();
      erasureRebuild.start(shredder.caughtUp());
      for (const each of periodic) each.start();
    },
    async ready() {
      await shredder.caughtUp();
      const settled = (state: string) => ["live", "standby", "ended"].includes(state);
      while (!processors.every((processor) => settled(processor.health().state)))
        await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS));
    },
    readiness: () => runChecks("projector", checks, false),
    health: () => processors.map((processor) => processor.health()),
    async stop() {
      const ended = periodic.map((each) => each.stop());
      await monitor.stop();
      await Promise.all([
        reporter.stop(),
        settingsFollower.stop(),
        upgrade.stop(),
        erasureRebuild.stop(),
        shredder.stop(),
        cleaner.stop(),
        ...processors.map((processor) => processor.stop()),
      ]);
      await Promise.all(ended);
      await stores.close();
    },
  };
}

interface Database {
  readonly url: string;
  readonly pool: pg.Pool;
}

/** Drops tables of an interrupted rebuild, since deletions do not reach them. @returns the schemas' names. */
export async function dropLeftovers(
  database: Database,
  projections: readonly Projection[],
): Promise<string[]> {
  const dropped: string[] = [];
  for (const { name, schemas } of projections) {
    const left = await leftovers(database.pool, schemas);
    if (left.length === 0) continue;
    await whileNoRebuild(database.url, name, async (client) => {
      for (const schema of await leftovers(client, schemas)) {
        await client.query(`drop schema if exists ${schema} cascade`);
        dropped.push(schema);
      }
    });
  }
  return dropped;
}

/** Drops what an interrupted rebuild left outside the database. @returns the names of what was dropped. */
export async function dropOutsideLeftovers(
  database: Database,
  projections: readonly Projection[],
): Promise<string[]> {
  const dropped: string[] = [];
  for (const { name, outside } of projections) {
    if (!outside || (await outside.find(database.pool)).length === 0) continue;
    await whileNoRebuild(database.url, name, async (client) => {
      const left = await outside.find(client);
      await outside.drop(left);
      dropped.push(...left);
    });
  }
  return dropped;
}

async function whileNoRebuild(
  url: string,
  name: Projection["name"],
  work: (client: pg.ClientBase) => Promise<void>,
): Promise<void> {
  // A drop may take as long as it needs.
  const connection = { url, name: "projector leftovers", statementMs: "unlimited" } as const;
  await withLock(connection, rebuildLock(name), work);
}

async function leftovers(
  sql: Pick<pg.ClientBase, "query">,
  schemas: readonly string[],
): Promise<string[]> {
  const names = schemas.flatMap((schema) => [`${schema}_next`, `${schema}_old`]);
  const { rows } = await sql.query<{ nspname: string }>(
    "select nspname from pg_namespace where nspname = any($1)",
    [names],
  );
  return rows.map((row) => row.nspname);
}

/** Returns the processors that this process owns, for `ops.process`. A standby's owner reports it. */
function processorReports(
  processors: readonly Processor[],
  monitor: LogMonitor,
): ProcessorReport[] {
  return processors.flatMap((processor) => {
    const health = processor.health();
    if (health.state === "standby") return [];
    const { state } = monitor.check(processor).detail ?? {};
    return {
      name: processor.name,
      state: String(state),
      seconds_behind: monitor.lag(health).seconds,
      parked: monitor.parked(processor.name),
    };
  });
}
