import type { Logger } from "pino";
import { loadShippedTexts } from "#content/shipped-texts.ts";
import { textRenderer } from "#content/text-values.ts";
import { keptDays } from "#contracts/settings/catalogue.ts";
import { openFileStore } from "#files/open-file-store.ts";
import { filesCheck } from "#files/port.ts";
import { SealedFiles } from "#files/sealed-files.ts";
import { countersCheck, openSharedCounters } from "#http/counters/redis/shared-counters.ts";
import { sealedPositions } from "#http/position-headers.ts";
import { createPostgresAccountGate } from "#http/postgres-account-gate.ts";
import type { ServiceInstance } from "#http/service.ts";
import { storeChecks } from "#http/store-checks.ts";
import { Caches } from "#operations/caches.ts";
import { observer } from "#operations/observed-table.ts";
import { modeOf, type PartCheck } from "#operations/part-check.ts";
import { ProcessReporter } from "#operations/process-reporter.ts";
import { installOperations } from "#operations/process-table.ts";
import { seenServers } from "#operations/running-server.ts";
import { counterParts, filesPart, storeParts } from "#operations/store-parts.ts";
import { readModelDatabase, readModelPool } from "#read-model/database.ts";
import { installReadModel } from "#read-model/install.ts";
import { CONNECTIONS } from "#runtime/config/store-variables.ts";
import { chooseByScheme } from "#runtime/config/value-problems.ts";
import { divideConnections } from "#runtime/db/connection-budget.ts";
import { openPool } from "#runtime/db/pool.ts";
import { rightsOf } from "#runtime/db/service-roles.ts";
import { logDebug } from "#runtime/log.ts";
import { GuardedSearch, type SearchReads } from "#search/guarded-search.ts";
import { PostgresSearchIndex } from "#search/postgres/postgres-search-index.ts";
import { desksIn, staffFactorIn } from "#settings/settings-follower.ts";
import type { LiveKey } from "#vault/keys/key-store.ts";
import { listExportSeals } from "#vault/links/list-export.ts";
import { openKeysAndLog } from "#vault/open-keys-and-log.ts";
import { createBlindIndexer, slugHash } from "#vault/sealing/hashes.ts";
import { buildQueryApp } from "./app.ts";
import { ChangeFeed } from "./changes/change-feed.ts";
import { ClaimWatch } from "./changes/claim-watch.ts";
import { OpenStreams } from "./changes/open-streams.ts";
import type { QueryApiConfig } from "./config.ts";
import { CheckpointWatcher } from "./freshness/checkpoint-watcher.ts";
import { readCheckpoints } from "./freshness/read-your-writes.ts";
import { LayoutWatch } from "./layout-watch.ts";
import { PresentSettings } from "./settings/present-settings.ts";
import { AskedProcesses } from "./system/asked-processes.ts";
import { askedServers } from "./system/asked-servers.ts";

const SERVICE = "query-api";

/** Time limit of one statement, in milliseconds. */
const STATEMENT_TIMEOUT = 10_000;

/**
 * Whether the tables of command-api that are read here exist. It creates them at its first start.
 */
const COMMAND_TABLES = `
  select to_regclass('command.session') is not null as accounts,
         to_regclass('views.report_views') is not null as views`;

export interface QueryApi {
  readonly app: ServiceInstance;
  /**
   * Another instance over the same stores, for callers behind a different number of proxies. Both
   * share their counters, and stopping the service stops both.
   */
  buildApp(trustProxyHops: number): Promise<ServiceInstance>;
  /** Number of reads that wait for a projection right now. */
  waitingReads(): number;
  /** Starts to watch the checkpoints of the processors. */
  start(): Promise<void>;
  /** Stops the HTTP side first, then closes the stores. */
  stop(): Promise<void>;
}

/**
 * Opens the stores that the configuration names and builds the service over them. If one of them
 * fails to open, those already open are closed again.
 */
export async function composeQueryApi(config: QueryApiConfig, log: Logger): Promise<QueryApi> {
  await using opened = new AsyncDisposableStack();
  const connections = divideConnections(config.connections ?? CONNECTIONS["query-api"].most, {
    database: { url: config.databaseUrl, weight: 4 },
    search: { url: config.searchUrl, weight: 2 },
    keys: { url: config.keysUrl, weight: 1 },
    log: { url: config.eventStoreUrl, weight: 2 },
    checkpoints: { url: config.databaseUrl, single: 1 },
  });
  const pool = readModelPool(config.databaseUrl, {
    name: SERVICE,
    max: connections.database,
    statementMs: STATEMENT_TIMEOUT,
  });
  opened.defer(() => pool.end());
  const db = readModelDatabase(pool);
  await installReadModel(pool);
  await installOperations(pool);
  const { keys, store } = await openKeysAndLog(config, SERVICE, connections, { log });
  opened.defer(() => keys.close());
  opened.defer(() => store.close());
  const pageKey = await keys.liveKey("pages");
  const search = await openSearch(config.searchUrl, pageKey, { max: connections.search, log });
  opened.defer(() => search.close());
  const verifier = await keys.tokenVerifier();
  const positionKey = await keys.liveKey("positions");
  const positions = sealedPositions(positionKey);
  const slugKey = await keys.serviceKey("slugs");
  const blindKey = await keys.serviceKey("blind-index");
  const sharedCounters = await openSharedCounters(config.rateLimitUrl, keys, log);
  opened.defer(() => sharedCounters?.close());
  const files = openFileStore(config.filesUrl);
  opened.defer(() => files.close());
  const watcher = new CheckpointWatcher({
    databaseUrl: config.databaseUrl,
    readCheckpoints: () => readCheckpoints(db),
    onError: (err) => log.warn({ err }, "the checkpoints could not be watched"),
    onAdvance: (processor) => {
      if (processor === "settings") void present.read();
      feed.advanced(processor);
    },
  });
  opened.defer(() => watcher.stop());
  const feed = new ChangeFeed({
    db,
    watcher,
    onError: (err) => log.warn({ err }, "what changes could not be followed"),
  });
  const claims = new ClaimWatch({
    db,
    onError: (err) => log.warn({ err }, "claims of reports could not be followed"),
  });
  const streams = new OpenStreams();
  const present = new PresentSettings({
    db,
    onError: (err) => log.warn({ err }, "the settings cannot be read now"),
    onRead: ({ debugMode }) => logDebug(log, debugMode),
  });
  opened.defer(() => present.stop());

  const layouts = new LayoutWatch(pool);
  await layouts.look();
  await present.read();
  const shipped = await loadShippedTexts((slug) => slugHash(slugKey, slug));
  const renderer = textRenderer(() => ({
    ...config,
    supportEmail: desksIn(present.settings(), config).support,
    keptDays: keptDays(present.settings()),
    eraseHours: present.settings().eraseHours,
  }));

  const parts: PartCheck[] = [
    ...storeParts(config, { pool, store, keys }),
    {
      part: "search",
      mode: modeOf(config.searchUrl, config.embeddedPostgres),
      check: () => search.index.state(),
    },
    filesPart(config, files),
    ...counterParts(sharedCounters),
  ];
  const caches = new Caches();
  const asked = new AskedProcesses(config.operationsUrls ?? []);
  const reporter = new ProcessReporter({
    beatMs: config.beatMs,
    restart: config.endToRestart,
    caches,
    pool,
    service: SERVICE,
    parts,
    servers: seenServers(askedServers(config, { pool, asked })),
    log,
  });

  const apps: ServiceInstance[] = [];
  const build = (trustProxyHops: number) =>
    buildQueryApp({
      version: config.version,
      log,
      db,
      watcher,
      feed,
      claims,
      streams,
      index: search.index,
      store,
      keys,
      files: new SealedFiles({ files, keys }),
      parts,
      caches,
      asked,
      accounts: createPostgresAccountGate(pool, {
        staffSecondFactor: () => staffFactorIn(present.settings(), config.staffSecondFactor),
        staffIdleMinutes: () => present.settings().sessionTimeout,
      }),
      tokens: { verifier },
      positions,
      exportSeals: listExportSeals(positionKey),
      blind: createBlindIndexer(blindKey),
      slugHash: (slug) => slugHash(slugKey, slug),
      layouts,
      shipped,
      renderer,
      pageKey,
      settings: present.settings,
      observe: observer(pool),
      limits: config.limits,
      sharedCounters,
      // All instances share counters, so a visitor's own requests and the site's for them add up.
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
        ...filesCheck(files),
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

interface OpenedSearch {
  readonly index: SearchReads;
  close(): Promise<void>;
}

/**
 * Opens the search engine that the URL's scheme names.
 * @param pageKey service key `pages`, shared so that every process accepts a page token of any
 *   other.
 */
function openSearch(
  searchUrl: string,
  pageKey: LiveKey,
  { max, log }: { readonly max: number; readonly log: Logger },
): Promise<OpenedSearch> {
  // The projector creates the index. Without the index or the engine, searches answer 503.
  const outside = async (url: string) => {
    // Its client is hundreds of modules, which a process loads only where it searches there.
    const { OpenSearchIndex } = await import("#search/opensearch/opensearch-search-index.ts");
    const { isEngineAway } = await import("#search/opensearch/connection.ts");
    const engine = new OpenSearchIndex(url, { pageKey });
    const index = new GuardedSearch(engine, {
      isAway: isEngineAway,
      onChange: (isServing) =>
        isServing
          ? log.info("the search engine answers again")
          : log.warn("the search engine does not answer: searches are refused at once"),
    });
    return { index, close: () => engine.close() };
  };
  return chooseByScheme<Promise<OpenedSearch>>("SEARCH_URL", searchUrl, {
    http: outside,
    https: outside,
    postgres: async (url) => {
      const pool = openPool({ url, name: `${SERVICE} search`, max });
      const index = new PostgresSearchIndex(pool, { pageKey });
      try {
        await index.install();
      } catch (error) {
        await pool.end();
        throw error;
      }
      return { index, close: () => pool.end() };
    },
  });
}
