import { readFileSync } from "node:fs";
import path from "node:path";
import { createLogger } from "#kit/log.ts";
import { embeddedStores, type LauncherConfig } from "./config.ts";
import { type DataFolder, openDataFolder } from "./data-folder.ts";
import { databaseName, openEmbeddedPostgres } from "./embedded-postgres/open.ts";
import { freePort, type PostgresServer } from "./embedded-postgres/server.ts";
import { openLogFile } from "./log-file.ts";
import { checkAddress, openOnePort } from "./one-port/one-port.ts";
import { Refusal } from "./refusal.ts";
import { openSecrets } from "./secrets.ts";
import { composeServices, type Stores } from "./services.ts";
import { buildWebApps } from "./web-build.ts";

/** Milliseconds that running requests get to finish when the system stops. */
const drainMs = 4000;

/** The running system. */
export type Launched = {
  /** Where it answers, without a slash at the end. */
  url: string;
  /** Lines that the services want to be read at the first start, e.g. the first admin's password. */
  notes: string[];
  /** Settles, with the reason, when the system can no longer work; stop it then. */
  failed: Promise<Refusal>;
  /** Stops everything, each part after those that need it. */
  stop(): Promise<void>;
};

/** Raised out of `launch` when it was told to stop before it was done. */
export class LaunchStopped extends Error {
  override name = "LaunchStopped";
}

/**
 * Starts everything that the configuration leaves embedded, and all services in this process on
 * one port. What was started is stopped again when a later step fails.
 *
 * @param say takes a line about what is waited for.
 * @param signal stops the launch at its next step.
 * @throws {Refusal} with one clear sentence.
 * @throws {LaunchStopped} after `signal`.
 */
export async function launch(
  config: LauncherConfig,
  say: (line: string) => void,
  signal?: AbortSignal,
): Promise<Launched> {
  await using started = new AsyncDisposableStack();
  const goOn = () => {
    if (signal?.aborted) throw new LaunchStopped();
  };

  const folder = await openDataFolder(config.dataDir);
  started.defer(() => folder.release());
  const port = config.port || (await freePort());
  await checkAddress({ host: config.host, port });
  const secrets = await openSecrets(folder, { masterKey: config.masterKey });
  const logFile = await openLogFile(folder.log);
  started.defer(() => logFile.close());
  goOn();

  const [postgres] = await allDone([
    timed("PostgreSQL", say, async () => {
      const server = await openPostgres(config, folder, secrets.databasePassword, say);
      if (server) started.defer(() => server.stop());
      return server;
    }),
    timed("site and console", say, () => buildWebApps(say, { signal })),
  ]);
  goOn();

  const url = `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${port}`;
  const services = await timed("services", say, () =>
    composeServices({
      config,
      paths: folder,
      stores: storeUrls(config, postgres),
      masterKeys: secrets.masterKeys,
      publicUrl: config.publicUrl ?? url,
      version: packageVersion(),
      log: (name) => createLogger({ name, destination: logFile.destination }),
    }),
  );
  started.defer(() => services.stop());
  goOn();
  const onePort = await openOnePort(services.doors, { host: config.host, port });
  started.defer(() => onePort.drain(drainMs));
  await timed("catching up", say, () => services.start());
  goOn();

  const parts = started.move();
  let stopping: Promise<void> | undefined;
  return {
    url,
    notes: services.notes,
    failed: postgres ? postgresEnds(postgres, () => stopping !== undefined) : new Promise(() => {}),
    stop: () => {
      stopping ??= parts.disposeAsync();
      return stopping;
    },
  };
}

function openPostgres(
  config: LauncherConfig,
  folder: DataFolder,
  password: string,
  say: (line: string) => void,
): Promise<PostgresServer | undefined> {
  const isNeeded = embeddedStores.some((name) => !config.environment[name]);
  return isNeeded ? openEmbeddedPostgres(folder, password, say) : Promise.resolve(undefined);
}

function storeUrls(config: LauncherConfig, postgres: PostgresServer | undefined): Stores {
  const entries = embeddedStores.map((name) => [
    name,
    config.environment[name] || postgres?.url(databaseName),
  ]);
  return Object.fromEntries(entries) as Stores;
}

async function postgresEnds(server: PostgresServer, isStopping: () => boolean): Promise<Refusal> {
  const { code, signal } = await server.exited;
  if (isStopping()) return new Promise(() => {});
  return new Refusal(
    `PostgreSQL ended unexpectedly (${signal ?? `exit code ${code}`}): start again, the data is kept.`,
  );
}

/** Waits for all, also when one fails, so that nothing goes on behind the back of the clean-up. */
async function allDone<A, B>(work: [Promise<A>, Promise<B>]): Promise<[A, B]> {
  const [first, second] = await Promise.allSettled(work);
  if (first.status === "rejected") throw first.reason;
  if (second.status === "rejected") throw second.reason;
  return [first.value, second.value];
}

async function timed<T>(
  name: string,
  say: (line: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const start = performance.now();
  const result = await work();
  say(`${name}: ready after ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return result;
}

function packageVersion(): string {
  const file = path.resolve(import.meta.dirname, "../package.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
