import { freePort } from "#local-servers/postgres/server.ts";
import type { Refusal } from "#runtime/lifecycle/refusal.ts";
import { buildApps, webApps } from "./build-apps.ts";
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
import { checkAddress } from "./one-port/one-port.ts";
import { type Say, throwIfStopped, timed } from "./progress.ts";
import { openSecrets } from "./secrets.ts";
import { serveWithRetries } from "./serve-with-retries.ts";

/** How long a start waits for an instance that may be stopping, in milliseconds. */
const lockWaitMs = 3000;

/** The running system. */
export type Launched = {
  /** Address that it listens on, without a trailing slash. */
  url: string;
  /** Lines for the operator, such as the first admin's password. */
  notes: string[];
  /** Resolves with the reason once the system can no longer work and should be stopped. */
  failed: Promise<Refusal>;
  /** Stops everything, each part before the parts it depends on. */
  stop(): Promise<void>;
};

/**
 * Starts all services in this process on one port, and the embedded stores. Waits for external stores that are
 * down. If a step fails, everything already started is stopped.
 *
 * @param signal stops the launch at its next step.
 * @param restart restarts the system; absent if nothing would.
 * @throws {Refusal} with one sentence that explains why.
 * @throws {LaunchStopped} after `signal`.
 */
export async function launch(
  config: LauncherConfig,
  say: Say,
  signal?: AbortSignal,
  restart?: () => void,
): Promise<Launched> {
  await using started = new AsyncDisposableStack();
  const ended = new AbortController();
  const stop = AbortSignal.any([ended.signal, ...(signal ? [signal] : [])]);
  // A failure is thrown where the builds are needed.
  let built: Promise<unknown> | undefined;
  const build = () => {
    built = timed("site and console", say, () =>
      buildApps(say, { signal: stop, apps: webApps, isQuick: true }),
    );
    const settled = built.catch(() => undefined);
    started.defer(async () => {
      ended.abort();
      await settled;
    });
  };
  const { instance, port, failed, announceStop } = await openInstance(config, say, started, {
    beside: build,
    signal: stop,
  });
  const { notes } = await serveWithRetries(
    { instance, port, failed, say, signal: stop, restart, built },
    started,
  );

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
 * Locks the data folder, checks that the port is free, reads the secrets and starts PostgreSQL.
 *
 * @param started collects what must be stopped again, in order.
 * @param options.beside called once folder and port are free, before PostgreSQL starts.
 * @param options.signal stops the creation of a database.
 */
export async function openInstance(
  config: LauncherConfig,
  say: Say,
  started: AsyncDisposableStack,
  { beside, signal }: { beside?: () => void; signal?: AbortSignal } = {},
): Promise<OpenedInstance> {
  const folder = await openDataFolder(config.dataDir, lockWaitMs, () =>
    say("waiting for another instance in the same data folder to end"),
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
    const postgres = await startPostgres(folder, secrets, say, {
      signal,
      bin: config.variables.POSTGRES_BIN,
    });
    started.defer(() => postgres.stop());
    postgresUrl = postgres.url;
    failed = postgres.failed;
    // Every service logs errors from now on. They must not bury the sentence with the cause.
    void failed.then(() => logFile.quietTerminal());
  };
  beside?.();
  if (needsEmbeddedPostgres(config)) await timed("PostgreSQL", say, startDatabase);
  const hasRoles = hasOwnRoles(config);
  const instance = describeInstance({ config, port, secrets, postgresUrl, logFile, hasRoles });
  throwIfStopped(signal);
  return {
    instance,
    port,
    failed,
    announceStop: folder.announceStop,
  };
}
