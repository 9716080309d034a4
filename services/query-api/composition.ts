import pg from "pg";
import type { Logger } from "pino";
import { openEventStore } from "#event-store/open-event-store.ts";
import { createPostgresAccountGate } from "#kit/auth/postgres-account-gate.ts";
import { chooseByScheme } from "#kit/config/urls.ts";
import { countersCheck, openCounters } from "#kit/counters/open-counters.ts";
import type { ServiceInstance } from "#kit/http/service.ts";
import { openKeyStore } from "#kit/keys/postgres-key-store.ts";
import { createBlindIndexer } from "#kit/sealing/blind-index.ts";
import { slugHash } from "#kit/sealing/slug-hash.ts";
import { readModelDatabase, readModelPool } from "#read-model/database.ts";
import { installReadModel } from "#read-model/install.ts";
import { OpenSearchIndex } from "#search/opensearch/opensearch-search-index.ts";
import type { SearchIndex } from "#search/port.ts";
import { PostgresSearchIndex } from "#search/postgres/postgres-search-index.ts";
import { buildQueryApp } from "./app.ts";
import type { QueryApiConfig } from "./config.ts";
import { CheckpointWatcher } from "./freshness/checkpoint-watcher.ts";
import { readCheckpoints } from "./freshness/read-your-writes.ts";

/** Milliseconds that one statement of a read may take. */
const STATEMENT_TIMEOUT = 10_000;

/** Whether command-api has made its tables that are read here; it does when it first starts. */
const COMMAND_TABLES = `
  select to_regclass('command.account') is not null as accounts,
         to_regclass('views.report_views') is not null as views`;

export interface QueryApi {
  readonly app: ServiceInstance;
  /**
   * Another instance over the same stores, for callers that other proxies stand in front of.
   * Both count together; it is stopped with the first.
   */
  buildApp(trustProxyHops: number): Promise<ServiceInstance>;
  /** Reads that wait for a projection right now. */
  waitingReads(): number;
  /** Begins to watch how far the processors are. */
  start(): Promise<void>;
  /** Ends the HTTP side first, then closes the stores. */
  stop(): Promise<void>;
}

/**
 * Opens the stores that the configuration names and builds the service over them. What was opened
 * is closed again when a later one fails.
 */
export async function composeQueryApi(config: QueryApiConfig, log: Logger): Promise<QueryApi> {
  await using opened = new AsyncDisposableStack();
  const pool = readModelPool(config.databaseUrl, {
    name: "query-api",
    statementTimeoutMs: STATEMENT_TIMEOUT,
  });
  opened.defer(() => pool.end());
  const db = readModelDatabase(pool);
  await installReadModel(pool);
  const keys = await openKeyStore({ database: config.keysUrl, masterKeys: config.masterKeys });
  opened.defer(() => keys.close());
  const store = await openEventStore(config.eventStoreUrl, { log });
  opened.defer(() => store.close());
  const search = await openSearch(config.searchUrl);
  opened.defer(() => search.close());
  const [tokenKey, slugKey, blindKey] = (await Promise.all(
    ["tokens", "slugs", "blind-index"].map((name) => keys.serviceKey(name)),
  )) as [Buffer, Buffer, Buffer];
  const counters = await openCounters(config.rateLimitUrl, keys, log);
  opened.defer(() => counters.close());
  const watcher = new CheckpointWatcher({
    databaseUrl: config.databaseUrl,
    readCheckpoints: () => readCheckpoints(db),
    onError: (err) => log.warn({ err }, "the checkpoints could not be watched"),
  });
  opened.defer(() => watcher.stop());

  const build = (trustProxyHops: number) =>
    buildQueryApp({
      version: config.version,
      log,
      db,
      watcher,
      index: search.index,
      store,
      keys,
      gate: createPostgresAccountGate(pool),
      tokenKey,
      blind: createBlindIndexer(blindKey),
      slugHash: (slug) => slugHash(slugKey, slug),
      limits: config.limits,
      counters,
      trustProxyHops,
      ...(config.corsOrigins ? { corsOrigins: config.corsOrigins } : {}),
      ...(config.originToken ? { originToken: config.originToken } : {}),
      ...(config.processMetrics === undefined ? {} : { processMetrics: config.processMetrics }),
      checks: {
        database: async () => {
          const { rows } = await pool.query<{ accounts: boolean; views: boolean }>(COMMAND_TABLES);
          const [found = { accounts: false, views: false }] = rows;
          return { ok: found.accounts && found.views, detail: found };
        },
        event_log: async () => {
          await store.head();
          return { ok: true };
        },
        search: async () => {
          const { outdated } = await search.index.state();
          return { ok: true, detail: { outdated } };
        },
        ...countersCheck(counters),
      },
    });

  const app = await build(config.trustProxyHops);
  const apps = [app];
  const stores = opened.move();
  return {
    app,
    async buildApp(trustProxyHops) {
      const another = await build(trustProxyHops);
      apps.push(another);
      return another;
    },
    waitingReads: () => watcher.waiting,
    start: () => watcher.start(),
    async stop() {
      await Promise.all(apps.map((each) => each.close()));
      await stores.disposeAsync();
    },
  };
}

interface OpenSearch {
  readonly index: SearchIndex;
  close(): Promise<void>;
}

/** The scheme chooses the engine. */
function openSearch(searchUrl: string): Promise<OpenSearch> {
  // The projector makes the index; until it has, and while the engine is away, searches answer 503.
  const outside = async (url: string) => {
    const index = new OpenSearchIndex(url);
    return { index, close: () => index.close() };
  };
  return chooseByScheme<Promise<OpenSearch>>("SEARCH_URL", searchUrl, {
    http: outside,
    https: outside,
    postgres: async (connectionString) => {
      const pool = new pg.Pool({ connectionString, max: 6, application_name: "query-api search" });
      // An idle connection that breaks is replaced at the next call, which reports what is wrong.
      pool.on("error", () => undefined);
      const index = new PostgresSearchIndex(pool);
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
