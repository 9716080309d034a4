import type pg from "pg";
import { DatabaseError } from "pg";
import type { Logger } from "pino";
import { loadShippedTexts } from "#content/shipped-texts.ts";
import { textRenderer } from "#content/text-values.ts";
import { keptDays, MAINTENANCE_SENTENCE } from "#contracts/settings/catalogue.ts";
import { openFileStore } from "#files/file-stores.ts";
import { SealedFiles } from "#files/sealed-files.ts";
import { openSharedCounters } from "#http/counters/redis/shared-counters.ts";
import type { CheckResult } from "#http/health.ts";
import { sealedPositions } from "#http/position-headers.ts";
import { createPostgresAccountGate } from "#http/postgres-account-gate.ts";
import {
  counterParts,
  filesPart,
  modeOf,
  type PartCheck,
  storeParts,
} from "#operations/part-check.ts";
import { installOperations, observer } from "#operations/process-table.ts";
import { Caches } from "#operations/request-table.ts";
import { readModelDatabase, readModelPool } from "#read-model/database.ts";
import { installReadModel, otherLayouts } from "#read-model/install.ts";
import { CONNECTIONS } from "#runtime/config/store-variables.ts";
import { chooseByScheme } from "#runtime/config/value-problems.ts";
import { divideConnections, openPool } from "#runtime/db/pool.ts";
import { logDebug } from "#runtime/log.ts";
import { GuardedSearch, type SearchReads } from "#search/guarded-search.ts";
import { PostgresSearchIndex } from "#search/postgres/postgres-search-index.ts";
import { inboxAddresses, staffFactorIn } from "#settings/settings-follower.ts";
import type { LiveKey } from "#vault/keys/key-store.ts";
import { listExportSeals } from "#vault/links/list-export.ts";
import { openKeysAndLog } from "#vault/open-keys-and-log.ts";
import { createBlindIndexer, slugHash } from "#vault/sealing/hashes.ts";
import { ActorNames } from "./actors/actor-names.ts";
import { AuditReader } from "./audit-log/audit-reader.ts";
import { ChangeFeed, ClaimPoller } from "./changes/change-feed.ts";
import type { QueryApiConfig } from "./config.ts";
import {
  CheckpointWatcher,
  createReadYourWrites,
  readCheckpoints,
} from "./freshness/read-your-writes.ts";
import { CurrentSettings } from "./settings/settings.routes.ts";
import { PolledProcesses } from "./system/asked-processes.ts";

/** The tables are of a different version than this process. It recovers on its own once they match. */
class OtherLayout extends Error {
  override readonly name = "OtherLayout";
}

/** SQLSTATEs for a missing table or column. */
const NOT_THERE = new Set(["42P01", "42703"]);

/** Minimum milliseconds between checks by requests while the layouts are known to differ. */
const POLL_MS = 250;

/** Rejects reads while the tables are of another version, as found by a health check or a failed statement. */
class LayoutWatch {
  readonly #pool: Pick<pg.Pool, "query">;
  #differs: string | undefined;
  #looking: Promise<void> | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(pool: Pick<pg.Pool, "query">) {
    this.#pool = pool;
  }

  /** For `/readyz`. */
  async check(): Promise<CheckResult> {
    await this.look();
    if (this.#differs === undefined) return { ok: true };
    return { ok: false, detail: { cause: this.#differs } };
  }

  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** @throws {OtherLayout} while the tables are known to be of another version. */
  async assertSame(): Promise<void> {
    if (this.#differs === undefined) return;
    if (performance.now() - this.#lookedAt >= POLL_MS) await this.look();
    if (this.#differs !== undefined) throw new OtherLayout(this.#differs);
  }

  /** Returns {@link OtherLayout} if the tables' version explains the error, else the error itself. */
  async explain<E extends Error>(error: E): Promise<E | OtherLayout> {
    if (!(error instanceof DatabaseError && NOT_THERE.has(error.code ?? ""))) return error;
    await this.look();
    return this.#differs === undefined ? error : new OtherLayout(this.#differs, { cause: error });
  }

  async #look(): Promise<void> {
    const found = await otherLayouts(this.#pool);
    this.#lookedAt = performance.now();
    this.#differs =
      found.length === 0
        ? undefined
        : `the tables are of another version (${found.join(", ")}): a projector of this version rebuilds them`;
  }
}

const SERVICE = "query-api";

/** For change streams. */
const HEARTBEAT_MS = 5_000;

/** Timeout of one statement in milliseconds. */
const STATEMENT_TIMEOUT = 10_000;

/**
 * What the service's features share. A feature creates for itself what only it needs. `watcher`, `feed`
 * and `claims` serve the console's change stream; `asked` are the processes that don't report their own
 * status; features register their in-memory caches in `caches`.
 */
export type ReadSide = Awaited<ReturnType<typeof openReadSide>>;

/** Opens the configured stores, and registers them with `opened`, which closes them. */
export async function openReadSide(
  config: QueryApiConfig,
  log: Logger,
  opened: AsyncDisposableStack,
) {
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
  const positionKey = await keys.liveKey("positions");
  const slugKey = await keys.serviceKey("slugs");
  const hash = (slug: string) => slugHash(slugKey, slug);
  const blindKey = await keys.serviceKey("blind-index");
  const sharedCounters = await openSharedCounters(config.rateLimitUrl, keys, log);
  opened.defer(() => sharedCounters?.close());
  const files = await openFileStore(config.filesUrl);
  opened.defer(() => files.close());
  const watcher = new CheckpointWatcher({
    databaseUrl: config.databaseUrl,
    readCheckpoints: () => readCheckpoints(db),
    onError: (err) => log.warn({ err }, "could not watch the checkpoints"),
    onAdvance: (processor) => {
      if (processor === "settings") void present.read();
      feed.advanced(processor);
    },
  });
  opened.defer(() => watcher.stop());
  const feed = new ChangeFeed({
    db,
    watcher,
    onError: (err) => log.warn({ err }, "could not follow changes"),
  });
  const claims = new ClaimPoller({
    db,
    onError: (err) => log.warn({ err }, "could not follow report claims"),
  });
  const present = new CurrentSettings({
    db,
    onError: (err) => log.warn({ err }, "could not read the settings; retrying"),
    onRead: ({ debugMode }) => logDebug(log, debugMode),
  });
  opened.defer(() => present.stop());

  const layouts = new LayoutWatch(pool);
  await layouts.look();
  await present.read();
  const shipped = await loadShippedTexts(hash);
  const renderer = textRenderer(() => ({
    ...config,
    supportEmail: inboxAddresses(present.settings(), config).support,
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
  const positions = sealedPositions(positionKey);
  const names = new ActorNames(db, keys);
  return {
    pool,
    db,
    keys,
    store,
    search,
    index: search.index,
    stored: files,
    files: new SealedFiles({ files, keys }),
    watcher,
    feed,
    claims,
    heartbeatMs: config.heartbeatMs ?? HEARTBEAT_MS,
    present,
    settings: present.settings,
    /** Values that apply while a setting is empty, by setting name. */
    otherwise() {
      const { supportEmail, named } = config;
      const unset = { ...present.settings(), salesEmail: "" };
      const { sales: salesEmail } = inboxAddresses(unset, { ...named, supportEmail });
      return { ...named, supportEmail, salesEmail, maintenanceMessage: MAINTENANCE_SENTENCE };
    },
    layouts,
    shipped,
    renderer,
    parts,
    caches: new Caches(),
    asked: new PolledProcesses(config.operationsUrls ?? []),
    accounts: createPostgresAccountGate(pool, {
      staffSecondFactor: () => staffFactorIn(present.settings(), config.staffSecondFactor),
      staffIdleMinutes: () => present.settings().sessionTimeout,
    }),
    positions,
    seals: listExportSeals(positionKey),
    blind: createBlindIndexer(blindKey),
    /** Keyed hash of a slug, as stored in events. */
    slugHash: hash,
    pageKey,
    observe: observer(pool),
    sharedCounters,
    freshness: createReadYourWrites(db, watcher, positions),
    names,
    audit: new AuditReader({ db, keys, names }),
  };
}

interface OpenedSearch {
  readonly index: SearchReads;
  close(): Promise<void>;
}

/** Opens the search engine for the URL's scheme. @param pageKey shared, so that every process accepts page tokens. */
function openSearch(
  searchUrl: string,
  pageKey: LiveKey,
  { max, log }: { readonly max: number; readonly log: Logger },
): Promise<OpenedSearch> {
  // The projector creates the index. Without the index or the engine, searches answer 503.
  const outside = async (url: string) => {
    // Its client is hundreds of modules, so load it only if it is used.
    const { OpenSearchIndex } = await import("#search/opensearch/opensearch-search-index.ts");
    const { isEngineUnavailable } = await import("#search/opensearch/connection.ts");
    const engine = new OpenSearchIndex(url, { pageKey });
    const index = new GuardedSearch(engine, {
      isAway: isEngineUnavailable,
      onChange: (isServing) =>
        isServing
          ? log.info("the search engine is available again")
          : log.warn("the search engine is unavailable: rejecting searches immediately"),
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
