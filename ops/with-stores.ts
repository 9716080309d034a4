import { lstat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { DomainError } from "#contracts/domain-error.ts";
import { embeddedStores, type LauncherConfig, readLauncherConfig } from "#launcher/config.ts";
import { dataPaths, FolderInUse, openDataFolder } from "#launcher/data-folder.ts";
import { explainFailure } from "#launcher/explain-failure.ts";
import {
  describeInstance,
  hasOwnRoles,
  type Instance,
  needsEmbeddedPostgres,
  startPostgres,
} from "#launcher/instance.ts";
import { type LogFile, openLogFile } from "#launcher/log-file.ts";
import type { RolePasswords } from "#launcher/migrate/roles.ts";
import { givenSecrets, openSecrets } from "#launcher/secrets.ts";
import { databaseName } from "#local-servers/postgres/open.ts";
import { readPostmaster, serverUrl } from "#local-servers/postgres/server.ts";
import { withClient } from "#runtime/db/pool.ts";
import { SERVICE_ROLES } from "#runtime/db/service-roles.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { readArguments } from "#runtime/lifecycle/usage.ts";
import type { CommandApi } from "#services/command-api/composition.ts";
import type { OperatorCommand, OperatorContext } from "#services/projector/cli/operator.ts";

type CommandContext = {
  instance: Instance;
  /** Whether the registry itself is running, and not only this command. */
  isRunning: boolean;
  /** Whether there is a data folder for files. */
  hasDataFolder: boolean;
  /** Passwords of the services' roles; undefined if this command does not know them. */
  passwords: RolePasswords | undefined;
};

/** How long a command waits for the PostgreSQL of an instance that is just starting, in milliseconds. */
const startWaitMs = 30_000;

/**
 * Runs an operator command on this instance's stores: those that the environment names for separate
 * processes, those of the running registry, or the embedded PostgreSQL, started for the duration of the
 * command. Ends the process with exit code 0, or 1 and one sentence; 2 is for invalid arguments.
 *
 * @param command resolves to undefined or another exit code.
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

/** Like {@link runWithStores}, for callers that continue. @param options.mayBeNew creates a missing data folder. */
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

/** Needs no data folder and creates none, so any machine that can reach the stores works. */
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

/** Finds the database URL of the running instance's PostgreSQL. */
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

function answers(url: string): Promise<boolean> {
  return withClient({ url, name: "command", connectMs: 2000 }, async () => true).catch(() => false);
}

/**
 * Reads from the environment the configuration of a system with separate processes, which must set the
 * database and the master key. As for the services, a store that is not set is in `DATABASE_URL`. If the
 * data folder has a database too, the one with tables is used.
 * @returns undefined if the stores are the data folder's.
 * @throws {Refusal} if there are no stores.
 */
async function givenStores(
  config: LauncherConfig,
  { mayBeNew = false }: { readonly mayBeNew?: boolean } = {},
): Promise<LauncherConfig | undefined> {
  const { DATABASE_URL, MASTER_KEY } = config.variables;
  const isEmbedded = needsEmbeddedPostgres(config);
  const paths = dataPaths(config.dataDir);
  const hasCluster = isEmbedded && (await isThere(paths.cluster));
  if (!DATABASE_URL || !MASTER_KEY) {
    // Without a registry's folder, its secrets would be created.
    const isHere = isEmbedded
      ? hasCluster
      : Boolean(MASTER_KEY) || (await isThere(paths.masterKey));
    if (!isHere && !mayBeNew) throw nothingThere(config);
    return undefined;
  }
  if (hasCluster && !(await holdsLogOrKeys(DATABASE_URL))) return undefined;
  const stores = embeddedStores.map((name) => [name, config.variables[name] ?? DATABASE_URL]);
  return { ...config, variables: { ...config.variables, ...Object.fromEntries(stores) } };
}

function nothingThere({ dataDir, variables }: LauncherConfig): Refusal {
  return new Refusal(
    variables.DATABASE_URL
      ? "DATABASE_URL names another registry: also set the MASTER_KEY of its processes."
      : `There is no registry in ${dataDir}: set DATA_DIR to its folder, or create one with npm start.`,
  );
}

function isThere(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

/** Whether separate processes keep their log or keys in the database. */
function holdsLogOrKeys(databaseUrl: string): Promise<boolean> {
  return hasRow(
    databaseUrl,
    "select 1 from pg_namespace where nspname in ('event_log', 'keys') limit 1",
  );
}

/** Whether a projector or query-api is currently connected to the database. */
function isServed(databaseUrl: string): Promise<boolean> {
  return hasRow(
    databaseUrl,
    `select 1 from pg_stat_activity where datname = current_database()
       and application_name ~ '^(query-api|projector)' limit 1`,
  );
}

function hasRow(url: string, text: string, values: unknown[] = []): Promise<boolean> {
  return withClient(
    { url, name: "command" },
    async (client) => (await client.query(text, values)).rows.length > 0,
  );
}

/** Logs errors to the terminal only, as there is no data folder for a log file. */
const terminalLog: LogFile = {
  destination: {
    write(line) {
      if ((JSON.parse(line) as { level?: string }).level?.match(/^(error|fatal)$/))
        process.stderr.write(line);
    },
  },
  quietTerminal: () => undefined,
  close: () => undefined,
};

/** Runs an operator command on the command side's services. A refusal is printed as a sentence. */
export function runOnCommandSide(
  command: (api: CommandApi, context: CommandContext) => Promise<number | undefined>,
): Promise<never> {
  return runWithStores(async (context) => {
    const { instance } = context;
    // Imported here so that an invalid argument is reported without loading a service.
    const { composeCommandApi } = await import("#services/command-api/composition.ts");
    const { commandApiConfig } = await import("#launcher/service-configs.ts");
    const api = await composeCommandApi(commandApiConfig(instance), instance.log("command"));
    try {
      return await command(api, context);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      console.error(`${error.message.replace(/\.$/, "")}.`);
      return 1;
    } finally {
      await api.stop();
    }
  });
}

/** Creates the context for a projector command on this instance's stores. */
export async function operatorContext({ instance }: CommandContext): Promise<OperatorContext> {
  const { projectorConfig } = await import("#launcher/service-configs.ts");
  const config = projectorConfig(instance);
  const databaseUrl = await asProjector(config.databaseUrl);
  const isInDatabase = config.searchUrl === config.databaseUrl;
  return {
    config: { ...config, databaseUrl, searchUrl: isInDatabase ? databaseUrl : config.searchUrl },
    log: instance.log("command"),
    print: (line) => console.log(line),
    warn: (line) => console.error(line),
  };
}

/** Returns a URL whose connections use the projector's role if it owns the read models, for a rebuild. */
async function asProjector(url: string): Promise<string> {
  const ownsModels = await hasRow(
    url,
    `select 1 from pg_namespace where nspname = 'reports' and pg_get_userbyid(nspowner) = $1
       and current_user <> $1`,
    [SERVICE_ROLES.projector],
  );
  if (!ownsModels) return url;
  const options = `options=${encodeURIComponent(`-c role=${SERVICE_ROLES.projector}`)}`;
  return `${url}${url.includes("?") ? "&" : "?"}${options}`;
}

/** Runs a projector command with this process's arguments. */
export async function runOnProjectorStores<Given>({
  usage,
  parse,
  run,
}: OperatorCommand<Given>): Promise<never> {
  const given = readArguments(usage, parse);
  return runWithStores(async (context) => run(given, await operatorContext(context)));
}
