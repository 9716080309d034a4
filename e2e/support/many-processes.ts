import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { type Haproxy, startHaproxy } from "#deploy/testing/haproxy.fixture.ts";
import { startTcpProxy, type TcpProxy } from "#event-store/contract/tcp-proxy.ts";
import { createLogger } from "#runtime/log.ts";
import { composeCommandApi } from "#services/command-api/composition.ts";
import { type MailCatcher, startMailCatcher } from "#test-kit/mail-catcher.ts";
import {
  noOwnSearchNode,
  type OwnSearchNode,
  startOwnSearchNode,
} from "#test-kit/own-search-node.ts";
import { type OwnServer, startOwnServer } from "#test-kit/own-server.ts";
import { eventually } from "#test-kit/reached-position.ts";
import { noRedis, type OwnRedis, openTestRedis, startOwnRedis } from "#test-kit/redis-server.ts";
import { IN_PROCESS } from "./config.ts";
import {
  endProcesses,
  type ProcessName,
  type ServiceProcess,
  startProcess,
  untilReady,
} from "./processes.ts";

export const ADMIN = { email: "admin@registry.example", password: "Correct-horse-9" };

/** A service's two processes. */
export type Pair = readonly [ServiceProcess, ServiceProcess];
/** Only one process makes backups. */
type Pairs = Record<Exclude<ProcessName, "backup">, Pair>;

/** The registry as two processes of each service, behind HAProxy. */
export interface ManyProcesses {
  /** HAProxy's URL. */
  readonly url: string;
  readonly haproxy: Haproxy;
  readonly pairs: Pairs;
  readonly mail: MailCatcher;
  readonly filesFolder: string;
  /** The server with all of the registry's PostgreSQL databases. */
  readonly postgres: OwnServer;
  /** The database, for what the API doesn't show. */
  readonly db: pg.Pool;
  readonly eventStoreUrl: string;
  /** If requested, the breakable networks to the stores and the servers behind them. */
  readonly breakable?: Breakable;
  /** What the registry uses besides PostgreSQL, or why it does not. */
  readonly servers: { readonly redis: string; readonly search: string };
  /** Returns the projector that owns a processor. */
  ownerOf(processor: string): Promise<ServiceProcess>;
  /** Records that samples were loaded, as their loader does. */
  markSamplesLoaded(): Promise<void>;
  close(): Promise<void>;
}

/** Parts that store something on disk. */
export type Stored = "postgres" | "redis" | "search" | "files";

/** Persistence settings of Redis in docker-compose.yml. */
const KEPT_BY_REDIS = { appendonly: "yes", save: "3600 1 300 100 60 10000" };

/** The networks to the stores, and the servers. */
export interface Breakable {
  readonly networks: Readonly<Record<"postgres" | "redis" | "search", TcpProxy>>;
  readonly redis: OwnRedis;
  readonly search: OwnSearchNode;
}

export interface ManyProcessesOptions {
  /** An empty event log; the log is in the database when absent. */
  readonly eventStoreUrl?: string;
  /** Whether to keep the search index in OpenSearch, if that can be started. */
  readonly openSearch: boolean;
  /** Whether to keep jobs and counters in Redis, if that can be started; true when absent. */
  readonly redis?: boolean;
  /** Data folders by part; the system's temporary folder for others. */
  readonly folders?: Readonly<Partial<Record<Stored, string>>>;
  /** Whether stores are reached through breakable networks, which requires all servers. */
  readonly breakable?: boolean;
}

/** Starts all processes concurrently, on empty stores. */
export async function startManyProcesses(options: ManyProcessesOptions): Promise<ManyProcesses> {
  await using opened = new AsyncDisposableStack();
  const { folders = {} } = options;
  const postgres = await startOwnServer(folders.postgres);
  opened.defer(() => postgres.dispose());
  const noRedisHere = options.redis === false ? "not asked for" : noRedis;
  const ownRedis = options.breakable
    ? await startOwnRedis(KEPT_BY_REDIS, folders.redis)
    : undefined;
  const redis = ownRedis ?? (noRedisHere === undefined ? await openTestRedis() : undefined);
  if (redis) opened.defer(() => redis.dispose());
  const noSearchNode = options.openSearch ? await noOwnSearchNode() : "not asked for";
  const searchNode =
    noSearchNode === undefined ? await startOwnSearchNode(folders.search) : undefined;
  if (searchNode) opened.defer(() => searchNode.dispose());
  const mail = await startMailCatcher();
  opened.defer(() => mail.close());
  const files = await mkdtemp(path.join(folders.files ?? os.tmpdir(), "registry-files-"));
  opened.defer(() => rm(files, { recursive: true, force: true, maxRetries: 5 }));
  const filesUrl = pathToFileURL(files).href;
  // This runs before everything above, which the processes use.
  opened.defer(endProcesses);
  const db = new pg.Pool({ connectionString: postgres.url, max: 3, application_name: "test" });
  // Tests stop the server, which breaks idle connections.
  db.on("error", () => undefined);
  opened.defer(() => db.end());

  const masterKey = randomBytes(32);
  const breakable =
    ownRedis && searchNode ? await openNetworks(opened, postgres, ownRedis, searchNode) : undefined;
  const urls = {
    postgres: through(breakable?.networks.postgres, postgres.url),
    redis: redis && through(breakable?.networks.redis, redis.url),
    search: searchNode && through(breakable?.networks.search, searchNode.url),
  };
  const { eventStoreUrl = urls.postgres } = options;
  const log = {
    DATABASE_URL: urls.postgres,
    EVENT_STORE_URL: eventStoreUrl,
    MASTER_KEY: masterKey.toString("hex"),
  };
  const search: Record<string, string> = urls.search ? { SEARCH_URL: urls.search } : {};
  const api = {
    ...log,
    TRUST_PROXY: "1",
    STAFF_SECOND_FACTOR: "off",
    ...(urls.redis ? { RATE_LIMIT_URL: urls.redis } : {}),
  };
  const PUBLIC_URL = "http://registry.example";
  const start = (name: ProcessName, env: Record<string, string>): Pair => [
    startProcess(name, env),
    startProcess(name, env),
  ];
  // In any order: each process waits for what the others create.
  const mailer = start("mailer", {
    ...log,
    PUBLIC_URL,
    SMTP_URL: mail.url,
    ...(urls.redis ? { JOBS_URL: urls.redis } : {}),
  });
  const projector = start("projector", { ...log, ...search });
  const queryApi = start("query-api", { ...api, ...search, FILES_URL: filesUrl });
  const commandApi = start("command-api", {
    ...api,
    FILES_URL: filesUrl,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
  });
  const queryUrls = await Promise.all(queryApi.map((each) => each.url()));
  const commandUrls = await Promise.all(commandApi.map((each) => each.url()));
  const web = start("web", {
    PUBLIC_URL,
    TRUST_PROXY: "1",
    COMMAND_API_URL: commandUrls.join(","),
    QUERY_API_URL: queryUrls.join(","),
  });
  const pairs: Pairs = { mailer, projector, "query-api": queryApi, "command-api": commandApi, web };
  await Promise.all(Object.values(pairs).flat().map(untilReady));
  const webUrls = await Promise.all(web.map((each) => each.url()));
  const behind = { commandApi: commandUrls, queryApi: queryUrls, web: webUrls };
  // Tests name their visitors, as a proxy in front of HAProxy does.
  const haproxy = await startHaproxy(behind, {
    trustProxy: 1,
    // Load tests come from one address.
    environment: { RATE_LIMIT: "off" },
  });
  opened.defer(() => haproxy.stop());
  const all = opened.move();
  return {
    url: haproxy.url,
    haproxy,
    pairs,
    mail,
    filesFolder: files,
    postgres,
    db,
    eventStoreUrl,
    ...(breakable ? { breakable } : {}),
    servers: {
      redis: noRedisHere ?? "jobs and counters of requests",
      search: noSearchNode ?? "OpenSearch",
    },
    async ownerOf(processor) {
      let owner: ServiceProcess | undefined;
      await eventually(
        `a projector owns ${processor}`,
        async () => {
          for (const each of projector)
            if ((await stateOf(each, processor)) === "live") owner = each;
          return owner !== undefined;
        },
        60_000,
      );
      return owner as ServiceProcess;
    },
    async markSamplesLoaded() {
      const { url: databaseUrl } = postgres;
      const stores = { databaseUrl, eventStoreUrl, keysUrl: databaseUrl, filesUrl };
      const commandApi = await composeCommandApi(
        { ...IN_PROCESS, ...stores, masterKeys: [masterKey] },
        createLogger({ name: "test", level: "silent" }),
      );
      const command = { type: "LoadSamples", reports: 1 } as const;
      await commandApi.log.execute(command, new Date().toISOString());
      await commandApi.stop();
    },
    close: () => all.disposeAsync(),
  };
}

/** Puts a breakable network in front of each store. */
async function openNetworks(
  opened: AsyncDisposableStack,
  postgres: OwnServer,
  redis: OwnRedis,
  search: OwnSearchNode,
): Promise<Breakable> {
  const to = async ({ url }: { readonly url: string }) => {
    const { hostname: host, port } = new URL(url);
    const network = await startTcpProxy({ host, port: Number(port) });
    opened.defer(() => network.close());
    return network;
  };
  const networks = {
    postgres: await to(postgres),
    redis: await to(redis),
    search: await to(search),
  };
  return { networks, redis, search };
}

/** Returns a store's URL through a network. */
function through(network: TcpProxy | undefined, url: string): string {
  if (!network) return url;
  const by = new URL(url);
  by.hostname = "127.0.0.1";
  by.port = String(network.port);
  return by.href;
}

/** Returns a processor's state as the projector reports it; undefined if it does not answer. */
async function stateOf(projector: ServiceProcess, processor: string): Promise<string | undefined> {
  const answer = await fetch(`${await projector.url()}/readyz`).catch(() => undefined);
  const { checks } = ((await answer?.json()) ?? {}) as {
    checks?: Record<string, { detail?: { state?: string } }>;
  };
  return checks?.[processor]?.detail?.state;
}
