import { setTimeout as delay } from "node:timers/promises";
import { type LauncherConfig, readLauncherConfig } from "#launcher/config.ts";
import { dataPaths, openDataFolder } from "#launcher/data-folder.ts";
import { explainFailure } from "#launcher/explain-failure.ts";
import {
  describeInstance,
  hasOwnRoles,
  type Instance,
  needsEmbeddedPostgres,
  startPostgres,
} from "#launcher/instance.ts";
import { FolderInUse } from "#launcher/instance-lock.ts";
import { openLogFile } from "#launcher/log-file.ts";
import type { RolePasswords } from "#launcher/migrate/roles.ts";
import { givenSecrets, openSecrets } from "#launcher/secrets.ts";
import { databaseName } from "#local-servers/postgres/open.ts";
import { readPostmaster, serverUrl } from "#local-servers/postgres/server.ts";
import { createClient } from "#runtime/db/pool.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { givenStores, isServed, terminalLog } from "./given-stores.ts";

export type CommandContext = {
  instance: Instance;
  /** Whether the registry itself is running now, and not only this command. */
  isRunning: boolean;
  /** Whether there is a data folder for files. */
  hasDataFolder: boolean;
  /** Passwords of the services' roles; undefined where this command knows none. */
  passwords: RolePasswords | undefined;
};

/** How long a command waits for the PostgreSQL of an instance that is just starting. */
const startWaitMs = 30_000;

/**
 * Runs an operator's command on the stores of this instance: those that the environment names for
 * separate processes, those of the running registry, or the embedded PostgreSQL, started for the
 * duration of the command. It ends the process with exit code 0, or with 1 and one sentence; 2 is
 * for invalid arguments.
 *
 * @param command resolves to undefined, or to another exit code.
 */
export async function runWithStores(
  command: (context: CommandContext) => Promise<number | undefined>,
): Promise<never> {
  let exitCode = 1;
  try {
    exitCode = (await withStores(command)) ?? 0;
  } catch (error) {
    console.error(explainFailure(error));
  }
  process.exit(exitCode);
}

/**
 * Like {@link runWithStores}, for callers that continue afterwards.
 * @param options.mayBeNew creates a data folder with an empty database if there is none.
 */
export async function withStores<T>(
  command: (context: CommandContext) => Promise<T>,
  options: { readonly mayBeNew?: boolean } = {},
): Promise<T> {
  const config = readLauncherConfig();
  const given = await givenStores(config, options);
  if (given) return withGivenStores(given, command);
  await using opened = new AsyncDisposableStack();
  const paths = dataPaths(config.dataDir);
  const folder = await openDataFolder(config.dataDir, 0).catch((error) => {
    if (error instanceof FolderInUse) return undefined;
    throw error;
  });
  if (folder) opened.defer(() => folder.release());
  const secrets = await openSecrets(paths, { masterKey: config.variables.MASTER_KEY });
  const logFile = await openLogFile(paths.log);
  opened.defer(() => logFile.close());

  let postgresUrl: string | undefined;
  if (needsEmbeddedPostgres(config)) {
    if (folder) {
      const postgres = await startPostgres(folder, secrets, () => undefined, {
        bin: config.variables.POSTGRES_BIN,
      });
      opened.defer(() => postgres.stop());
      postgresUrl = postgres.url;
    } else postgresUrl = await findRunningPostgres(paths.cluster, secrets.databasePassword);
  }
  const instance = describeInstance({ config, port: config.port, secrets, postgresUrl, logFile });
  const passwords = hasOwnRoles(config) ? secrets.servicePasswords : undefined;
  return await command({
    instance,
    isRunning: folder === undefined,
    hasDataFolder: true,
    passwords,
  });
}

/**
 * Needs no data folder and leaves none behind, so any machine that can reach the stores will do.
 */
async function withGivenStores<T>(
  config: LauncherConfig,
  command: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const { masterKeys } = givenSecrets(config.variables.MASTER_KEY ?? "");
  const instance = describeInstance({
    config,
    port: config.port,
    secrets: { masterKeys },
    postgresUrl: undefined,
    logFile: terminalLog,
    hasDataFolder: false,
  });
  const isRunning = await isServed(instance.stores.DATABASE_URL);
  return await command({ instance, isRunning, hasDataFolder: false, passwords: undefined });
}

/** URL of the database that the running instance's PostgreSQL serves. */
async function findRunningPostgres(cluster: string, password: string): Promise<string> {
  const deadline = Date.now() + startWaitMs;
  for (;;) {
    const { port } = await readPostmaster(cluster);
    const url = port ? serverUrl(port, password, databaseName) : undefined;
    if (url && (await answers(url))) return url;
    if (Date.now() > deadline)
      throw new Refusal(
        "The registry is running, but its database does not answer: check its log, or restart it.",
      );
    await delay(200);
  }
}

async function answers(url: string): Promise<boolean> {
  const client = createClient({ url, name: "command", connectMs: 2000 });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
