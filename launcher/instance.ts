import type { Logger } from "pino";
import { databaseName, openEmbeddedPostgres } from "#local-servers/postgres/open.ts";
import type { PostgresServer } from "#local-servers/postgres/server.ts";
import { packageVersion } from "#runtime/config/process-settings.ts";
import { schemeOf } from "#runtime/config/value-problems.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { createLogger } from "#runtime/log.ts";
import { embeddedStores, type LauncherConfig } from "./config.ts";
import { type DataFolder, type DataPaths, dataPaths } from "./data-folder.ts";
import type { LogFile } from "./log-file.ts";
import type { RolePasswords } from "./migrate/roles.ts";
import type { Secrets } from "./secrets.ts";

/** URL of each store, embedded or not. */
export type Stores = Record<(typeof embeddedStores)[number], string>;

/** What services need to know about the instance that runs them. */
export type Instance = {
  config: LauncherConfig;
  paths: DataPaths;
  /** Whether the folder in `paths` is this instance's and not just a default. */
  hasDataFolder: boolean;
  /** URLs with the role that owns everything. */
  stores: Stores;
  /** Passwords of the services' roles, if each service has its own role in the embedded PostgreSQL. */
  servicePasswords: RolePasswords | undefined;
  /** Whether every store is in the embedded PostgreSQL, which no other instance uses. */
  storesAreEmbedded: boolean;
  masterKeys: Secrets["masterKeys"];
  /** Address that the system listens on, without a trailing slash. */
  url: string;
  /** Address in emails and canonical links, without a trailing slash. */
  publicUrl: string;
  version: string;
  log(name: string): Logger;
};

/** Describes the instance once its stores are running. */
export function describeInstance(parts: {
  config: LauncherConfig;
  port: number;
  secrets: Pick<Secrets, "masterKeys"> & Partial<Secrets>;
  postgresUrl: string | undefined;
  logFile: LogFile;
  /** Whether services use their own roles. Operator commands use the owner's. */
  hasRoles?: boolean;
  /** For configurations that name the embedded stores explicitly, as in development. */
  storesAreEmbedded?: boolean;
  /** False for commands on external stores, which need no folder; true by default. */
  hasDataFolder?: boolean;
}): Instance {
  const { config, port, secrets, postgresUrl, logFile } = parts;
  const namesNoStore = embeddedStores.every((name) => !config.variables[name]);
  const url = `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${port}`;
  const stores = embeddedStores.map((name) => [name, config.variables[name] ?? postgresUrl]);
  // The index is written in the same transaction as the read models, so it uses their database.
  const searchUrl = config.variables.SEARCH_URL ?? config.variables.DATABASE_URL ?? postgresUrl;
  return {
    config,
    paths: dataPaths(config.dataDir),
    hasDataFolder: parts.hasDataFolder ?? true,
    stores: { ...Object.fromEntries(stores), SEARCH_URL: searchUrl } as Stores,
    servicePasswords: parts.hasRoles ? secrets.servicePasswords : undefined,
    storesAreEmbedded: parts.storesAreEmbedded ?? namesNoStore,
    masterKeys: secrets.masterKeys,
    url,
    publicUrl: config.publicUrl ?? url,
    version: packageVersion(),
    log: (name) =>
      createLogger({ name, level: config.variables.LOG_LEVEL, destination: logFile.destination }),
  };
}

/** Whether the embedded PostgreSQL is the only one, so that each service has its own role in it. */
export function hasOwnRoles({ variables }: LauncherConfig): boolean {
  return embeddedStores.every((name) => schemeOf(variables[name] ?? "") !== "postgres");
}

/** Whether the embedded PostgreSQL provides at least one store. */
export function needsEmbeddedPostgres({ variables }: LauncherConfig): boolean {
  return embeddedStores.some(
    (name) => !variables[name] && !(name === "SEARCH_URL" && variables.DATABASE_URL),
  );
}

/** A running embedded PostgreSQL. */
export type RunningPostgres = {
  url: string;
  /** Resolves if the server exits unexpectedly. */
  failed: Promise<Refusal>;
  stop(): Promise<void>;
};

/** Starts PostgreSQL in a data folder locked by this process. */
export async function startPostgres(
  folder: DataFolder,
  secrets: Secrets,
  say: (line: string) => void,
  { signal, bin }: { signal?: AbortSignal | undefined; bin?: string | undefined } = {},
): Promise<RunningPostgres> {
  const server = await openEmbeddedPostgres(folder, secrets.databasePassword, say, { signal, bin });
  let stopping = false;
  return {
    url: server.url(databaseName),
    failed: postgresEnds(server, () => stopping),
    stop() {
      stopping = true;
      return server.stop();
    },
  };
}

async function postgresEnds(server: PostgresServer, isStopping: () => boolean): Promise<Refusal> {
  const { code, signal } = await server.exited;
  if (isStopping()) return new Promise(() => {});
  return new Refusal(
    `PostgreSQL ended unexpectedly (${signal ?? `exit code ${code}`}): start again, the data is kept.`,
  );
}
