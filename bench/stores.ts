import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { START } from "#event-store/port.ts";
import { embeddedStores } from "#launcher/config.ts";
import { dataPaths } from "#launcher/data-folder.ts";
import { databaseName, openEmbeddedPostgres } from "#local-servers/postgres/open.ts";
import { OpenSearchIndex } from "#search/opensearch/opensearch-search-index.ts";
import { openProjectorStores, type ProjectorStores } from "#services/projector/composition.ts";
import type { ProjectorConfig } from "#services/projector/config.ts";
import { parseMasterKey } from "#vault/keys/master-ring.ts";
import type { Profile } from "./config.ts";

/** The stores of one profile, for the duration of a run. */
export interface BenchStores {
  readonly profile: Profile["name"];
  /** Database of read models and keys, and of every other store without its own server. */
  readonly databaseUrl: string;
  /** The stores as the projector's configuration. */
  readonly config: ProjectorConfig;
  /** In hex. */
  readonly masterKey: string;
  /** The stores as a service process's environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** A folder for everything the run writes, removed with the stores. */
  readonly folder: string;
  /** Opens the log, keys and projections in this process. */
  open(): Promise<ProjectorStores>;
}

/** A silent logger, because any error in a run fails it anyway. */
export const quiet = pino({ level: "silent" });

/**
 * Starts a PostgreSQL as `npm start` does, equally durable and with the same settings, in a temporary folder.
 * @param started receives what must be stopped and removed again.
 * @throws Error if a given event log is not empty, as its events are encrypted under other keys.
 */
export async function startStores(
  { name, servers }: Profile,
  started: AsyncDisposableStack,
): Promise<BenchStores> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "registry-bench-"));
  started.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const password = randomBytes(12).toString("hex");
  const server = await openEmbeddedPostgres(dataPaths(folder), password, () => undefined);
  started.defer(() => server.stop());

  const databaseUrl = server.url(databaseName);
  const masterKey = randomBytes(32).toString("hex");
  const own = Object.fromEntries(embeddedStores.map((store) => [store, databaseUrl]));
  const urls = { ...own, ...servers } as Record<(typeof embeddedStores)[number], string>;
  if (/^https?:/.test(urls.SEARCH_URL)) urls.SEARCH_URL = await ownIndex(urls.SEARCH_URL, started);
  const config: ProjectorConfig = {
    databaseUrl,
    eventStoreUrl: urls.EVENT_STORE_URL,
    keysUrl: urls.KEYS_URL,
    searchUrl: urls.SEARCH_URL,
    masterKeys: [parseMasterKey(masterKey)],
  };
  const open = () => openProjectorStores(config, quiet);
  if (servers.EVENT_STORE_URL) {
    const { store, close } = await open();
    if ((await store.head().finally(close)) !== START)
      throw new Error("The event log at EVENT_STORE_URL holds events: give an empty server.");
  }
  const environment = { ...urls, MASTER_KEY: masterKey };
  return { profile: name, databaseUrl, config, masterKey, environment, folder, open };
}

/** Creates a separate index for this run on the server, dropped afterward. */
async function ownIndex(searchUrl: string, started: AsyncDisposableStack): Promise<string> {
  const url = new URL(searchUrl);
  url.searchParams.set("index", `bench-${randomBytes(6).toString("hex")}`);
  const index = new OpenSearchIndex(url.href);
  started.defer(async () => {
    await index.indexes.drop(await index.indexes.all());
    await index.close();
  });
  return url.href;
}
