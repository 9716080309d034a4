import type { Logger } from "pino";
import { databaseName, openEmbeddedPostgres } from "#local-servers/postgres/open.ts";
import type { PostgresServer } from "#local-servers/postgres/server.ts";
import { packageVersion } from "#runtime/config/process-settings.ts";
import { schemeOf } from "#runtime/config/urls.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { createLogger } from "#runtime/log.ts";
import { embeddedStores, type LauncherConfig } from "./config.ts";
import { type DataFolder, type DataPaths, dataPaths } from "./data-folder.ts";
import type { LogFile } from "./log-file.ts";
import type { RolePasswords } from "./migrate/roles.ts";
import type { Secrets } from "./secrets.ts";

/** URL of each store, embedded or not. */
export type Stores = Record<(typeof embeddedStores)[number], string>;

/** What services need to know of the instance that runs them. */
export type Instance = {
  config: LauncherConfig;
  paths: DataPaths;
  /** As the role reaches them that owns everything. */
  stores: Stores;
  /** Passwords of the services' roles, where each has its own in the embedded PostgreSQL. */
  servicePasswords: RolePasswords | undefined;
  /** Whether all of them are the embedded PostgreSQL, which nobody else uses. */
  storesAreEmbedded: boolean;
  masterKeys: Secrets["masterKeys"];
  /** Where the system answers, without a slash at the end. */
  url: string;
  /** Address in mails and canonical links, without a slash at the end. */
  publicUrl: string;
  version: string;
  /** Makes the logger of a service. */
  log(name: string): Logger;
};

/** Puts together what is known once the stores run. */
export function describeInstance(parts: {
  config: LauncherConfig;
  port: number;
  secrets: Pick<Secrets, "masterKeys"> & Partial<Secrets>;
  postgresUrl: string | undefined;
  logFile: LogFile;
  /** Whether services run under their own roles; operators' commands do not. */
  hasRoles?: boolean;
  /** Where the configuration names the embedded stores, as it does in development. */
  storesAreEmbedded?: boolean;
}): Instance {
  const { config, port, secrets, postgresUrl, logFile } = parts;
  const namesNoStore = embeddedStores.every((name) => !config.variables[name]);
  const url = `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${port}`;
  const stores = embeddedStores.map((name) => [name, config.variables[name] ?? postgresUrl]);
  // The index is written in one transaction with the read models, so it follows them.
  const searchUrl = config.variables.SEARCH_URL ?? config.variables.DATABASE_URL ?? postgresUrl;
  return {
    config,
    paths: dataPaths(config.dataDir),
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

/** Whether every PostgreSQL store is the embedded one, in which each service has its role. */
export function hasOwnRoles({ variables }: LauncherConfig): boolean {
  return embeddedStores.every((name) => schemeOf(variables[name] ?? "") !== "postgres");
}

/** Whether the configuration leaves any store to the embedded PostgreSQL. */
export function needsEmbeddedPostgres({ variables }: LauncherConfig): boolean {
  return embeddedStores.some(
    (name) => !variables[name] && !(name === "SEARCH_URL" && variables.DATABASE_URL),
  );
}

/** A running embedded PostgreSQL as the rest of the launcher sees it. */
export type RunningPostgres = {
  /** URL of the instance's database. */
  url: string;
  /** Resolves when the server has exited without being stopped. */
  failed: Promise<Refusal>;
  stop(): Promise<void>;
};

/** Starts the PostgreSQL of a data folder that this process holds. */
export async function startPostgres(
  folder: DataFolder,
  secrets: Secrets,
  say: (line: string) => void,
  signal?: AbortSignal,
): Promise<RunningPostgres> {
  const server = await openEmbeddedPostgres(folder, secrets.databasePassword, say, signal);
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
