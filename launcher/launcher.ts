import { freePort } from "#local-servers/postgres/server.ts";
import type { Refusal } from "#runtime/lifecycle/refusal.ts";
import type { LauncherConfig } from "./config.ts";
import { openDataFolder } from "./data-folder.ts";
import {
  describeInstance,
  hasOwnRoles,
  type Instance,
  needsEmbeddedPostgres,
  startPostgres,
} from "./instance.ts";
import { openLogFile } from "./log-file.ts";
import { migrate } from "./migrate/migrate.ts";
import { checkAddress, openOnePort } from "./one-port/one-port.ts";
import { openSecrets } from "./secrets.ts";
import { composeServices } from "./services.ts";
import { buildWebApps } from "./web-build.ts";

/** Milliseconds that a start waits for an instance that may be ending. */
const lockWaitMs = 3000;

/** Takes a line about what is waited for. */
export type Say = (line: string) => void;

/** The running system. */
export type Launched = {
  /** Where it answers, without a slash at the end. */
  url: string;
  /** Lines that the services want to be read, e.g. the first admin's password. */
  notes: string[];
  /** Settles, with the reason, when the system can no longer work; stop it then. */
  failed: Promise<Refusal>;
  /** Stops everything, each part after those that need it. */
  stop(): Promise<void>;
};

/** Raised out of a launch that was told to stop before it was done. */
export class LaunchStopped extends Error {
  override name = "LaunchStopped";
}

/**
 * Starts everything that the configuration leaves embedded, and all services in this process on
 * one port. What was started is stopped again when a later step fails.
 *
 * @param signal stops the launch at its next step.
 * @throws {Refusal} with one clear sentence.
 * @throws {LaunchStopped} after `signal`.
 */
export async function launch(
  config: LauncherConfig,
  say: Say,
  signal?: AbortSignal,
): Promise<Launched> {
  await using started = new AsyncDisposableStack();
  const { instance, port, failed, announceStop } = await openInstance(
    config,
    say,
    started,
    (work) => allDone([work, timed("site and console", say, () => buildWebApps(say, { signal }))]),
    signal,
  );
  goOn(signal);
  const { notes } = await serve(instance, port, say, started, { signal });

  const parts = started.move();
  let stopping: Promise<void> | undefined;
  return {
    url: instance.url,
    notes,
    failed,
    stop() {
      stopping ??= announceStop().then(() => parts.disposeAsync());
      return stopping;
    },
  };
}

export type OpenedInstance = {
  instance: Instance;
  port: number;
  failed: Promise<Refusal>;
  announceStop(): Promise<void>;
};

/**
 * Locks the data folder, makes sure of the port, reads the secrets, starts PostgreSQL, and makes
 * tables, roles and rights in it.
 *
 * @param started takes what must be stopped again, in order.
 * @param beside runs other work while PostgreSQL starts, and waits for both.
 * @param signal gives up the making of a database.
 */
export async function openInstance(
  config: LauncherConfig,
  say: Say,
  started: AsyncDisposableStack,
  beside: (postgres: Promise<void>) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<OpenedInstance> {
  const folder = await openDataFolder(config.dataDir, lockWaitMs, () =>
    say("waits for another instance in the same data folder to end"),
  );
  started.defer(() => folder.release());
  const port = config.port || (await freePort());
  await checkAddress({ host: config.host, port });
  const secrets = await openSecrets(folder, { masterKey: config.variables.MASTER_KEY });
  const logFile = await openLogFile(folder.log);
  started.defer(() => logFile.close());

  let postgresUrl: string | undefined;
  let failed: Promise<Refusal> = new Promise(() => {});
  const startDatabase = async () => {
    const postgres = await startPostgres(folder, secrets, say, signal);
    started.defer(() => postgres.stop());
    postgresUrl = postgres.url;
    failed = postgres.failed;
    // Every service now fails at something; the one sentence that says why must not drown in it.
    void failed.then(() => logFile.quietTerminal());
  };
  await beside(
    needsEmbeddedPostgres(config) ? timed("PostgreSQL", say, startDatabase) : Promise.resolve(),
  );
  const hasRoles = hasOwnRoles(config);
  const instance = describeInstance({ config, port, secrets, postgresUrl, logFile, hasRoles });
  const { stores, masterKeys, servicePasswords: passwords } = instance;
  goOn(signal);
  // Keys that the data folder held so far move along when they get their own database.
  if (passwords || stores.KEYS_URL !== stores.DATABASE_URL)
    await timed("tables", say, () => migrate({ stores, masterKeys, passwords }));
  return {
    instance,
    port,
    failed,
    announceStop: folder.announceStop,
  };
}

export type ServeOptions = {
  signal?: AbortSignal | undefined;
  /** Milliseconds that running requests get to finish when the system stops. */
  drainMs?: number;
  /** Lets pages reload themselves when the services have restarted. */
  liveReload?: boolean;
};

/** Runs all services of an instance in this process, behind one port. */
export async function serve(
  instance: Instance,
  port: number,
  say: Say,
  started: AsyncDisposableStack,
  options: ServeOptions = {},
): Promise<{ notes: string[] }> {
  const { signal, drainMs = 4000, liveReload = false } = options;
  const services = await timed("services", say, () => composeServices(instance, { liveReload }));
  started.defer(() => services.stop());
  goOn(signal);
  const onePort = await openOnePort(
    services.backends,
    { host: instance.config.host, port },
    { liveReload },
  );
  started.defer(() => onePort.drain(drainMs));
  await timed("projections", say, () => services.start(say, signal));
  goOn(signal);
  return { notes: services.notes() };
}

function goOn(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new LaunchStopped();
}

/** Waits for all, even when one fails, so that nothing runs during the clean-up. */
async function allDone(work: Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(work))
    if (result.status === "rejected") throw result.reason;
}

async function timed<T>(name: string, say: Say, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  say(`${name}: ready after ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return result;
}
