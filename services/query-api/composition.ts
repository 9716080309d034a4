import pg from "pg";
import type { Logger } from "pino";
import {
  createPostgresEventStore,
  installEventStore,
} from "#event-store/postgres/postgres-event-store.ts";
import { createPostgresAccountGate } from "#kit/auth/postgres-account-gate.ts";
import { chooseByScheme } from "#kit/config/urls.ts";
import type { ServiceInstance } from "#kit/http/service.ts";
import { openKeyStore } from "#kit/keys/postgres-key-store.ts";
import { createBlindIndexer } from "#kit/sealing/blind-index.ts";
import { slugHash } from "#kit/sealing/slug-hash.ts";
import { readModelDatabase, readModelPool } from "#read-model/database.ts";
import { installReadModel } from "#read-model/install.ts";
import type { SearchIndex } from "#search/port.ts";
import { PostgresSearchIndex } from "#search/postgres/postgres-search-index.ts";
import { buildQueryApp } from "./app.ts";
import type { QueryApiConfig } from "./config.ts";
import { CheckpointWatcher } from "./freshness/checkpoint-watcher.ts";
import { readCheckpoints } from "./freshness/read-your-writes.ts";

/** Milliseconds that one statement of a read may take. */
const STATEMENT_TIMEOUT = 10_000;

export interface QueryApi {
  readonly app: ServiceInstance;
  /**
   * Another instance over the same stores, for callers that other proxies stand in front of.
   * Its limits count for themselves; it is stopped with the first.
   */
  buildApp(trustProxyHops: number): Promise<ServiceInstance>;
  /** Reads that wait for a projection right now. */
  waitingReads(): number;
  /** Begins to watch how far the processors are. */
  start(): Promise<void>;
  /** Ends the HTTP side first, then closes the stores. */
  stop(): Promise<void>;
}

/** Opens the stores that the configuration names and builds the service over them. */
export async function composeQueryApi(config: QueryApiConfig, log: Logger): Promise<QueryApi> {
  const pool = readModelPool(config.databaseUrl, {
    name: "query-api",
    statementTimeoutMs: STATEMENT_TIMEOUT,
  });
  await installReadModel(pool);
  const db = readModelDatabase(pool);
  const keys = await openKeyStore({ database: config.keysUrl, masterKeys: config.masterKeys });
  await installEventStore(config.eventStoreUrl);
  const store = createPostgresEventStore({ connectionString: config.eventStoreUrl, log });
  const search = await openSearch(config.searchUrl);
  const [tokenKey, slugKey, blindKey] = (await Promise.all(
    ["tokens", "slugs", "blind-index"].map((name) => keys.serviceKey(name)),
  )) as [Buffer, Buffer, Buffer];
  const watcher = new CheckpointWatcher({
    databaseUrl: config.databaseUrl,
    readCheckpoints: () => readCheckpoints(db),
    onError: (err) => log.warn({ err }, "the checkpoints could not be watched"),
  });

  const apps: ServiceInstance[] = [];
  async function buildApp(trustProxyHops: number): Promise<ServiceInstance> {
    const app = await buildQueryApp({
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
      trustProxyHops,
      ...(config.corsOrigins ? { corsOrigins: config.corsOrigins } : {}),
      ...(config.originToken ? { originToken: config.originToken } : {}),
      ...(config.processMetrics === undefined ? {} : { processMetrics: config.processMetrics }),
      checks: {
        database: async () => {
          await pool.query("select 1");
          return { ok: true };
        },
        event_log: async () => {
          await store.head();
          return { ok: true };
        },
        search: async () => {
          const { outdated } = await search.index.state();
          return { ok: true, detail: { outdated } };
        },
      },
    });
    apps.push(app);
    return app;
  }

  return {
    app: await buildApp(config.trustProxyHops),
    buildApp,
    waitingReads: () => watcher.waiting,
    start: () => watcher.start(),
    async stop() {
      await Promise.all(apps.map((app) => app.close()));
      await watcher.stop();
      await search.close();
      await store.close();
      await keys.close();
      await db.destroy();
    },
  };
}

interface OpenSearch {
  readonly index: SearchIndex;
  close(): Promise<void>;
}

/** The scheme chooses the engine. */
function openSearch(searchUrl: string): Promise<OpenSearch> {
  return chooseByScheme<Promise<OpenSearch>>("SEARCH_URL", searchUrl, {
    postgres: async (connectionString) => {
      const pool = new pg.Pool({ connectionString, max: 6, application_name: "query-api search" });
      // An idle connection that breaks is replaced at the next call, which reports what is wrong.
      pool.on("error", () => undefined);
      const index = new PostgresSearchIndex(pool);
      await index.install();
      return { index, close: () => pool.end() };
    },
  });
}
