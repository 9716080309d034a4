import { lstat } from "node:fs/promises";
import { embeddedStores, type LauncherConfig } from "#launcher/config.ts";
import { dataPaths } from "#launcher/data-folder.ts";
import { needsEmbeddedPostgres } from "#launcher/instance.ts";
import type { LogFile } from "#launcher/log-file.ts";
import { createClient } from "#runtime/db/pool.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";

/**
 * The configuration of a system whose services are separate processes, from the environment, which
 * must name the database and the master key. As for the services, a store that is not set is in
 * `DATABASE_URL`. If the data folder has a database too, the one that holds the tables is used.
 * @returns undefined if the stores are those of the data folder.
 * @throws {Refusal} there are no stores.
 */
export async function givenStores(
  config: LauncherConfig,
  { mayBeNew = false }: { readonly mayBeNew?: boolean } = {},
): Promise<LauncherConfig | undefined> {
  const { DATABASE_URL, MASTER_KEY } = config.variables;
  const isEmbedded = needsEmbeddedPostgres(config);
  const paths = dataPaths(config.dataDir);
  const hasCluster = isEmbedded && (await isThere(paths.cluster));
  if (!DATABASE_URL || !MASTER_KEY) {
    // Without a folder of the registry, its secrets would be made.
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
      ? "DATABASE_URL names a registry elsewhere: set the MASTER_KEY of its processes, too."
      : `There is no registry in ${dataDir}: set DATA_DIR to its folder, or create one with npm start.`,
  );
}

function isThere(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

/** Whether separate processes keep their log or their keys in the database. */
function holdsLogOrKeys(databaseUrl: string): Promise<boolean> {
  return hasRow(
    databaseUrl,
    "select 1 from pg_namespace where nspname in ('event_log', 'keys') limit 1",
  );
}

/** Whether a projector or a query-api is connected to the database right now. */
export function isServed(databaseUrl: string): Promise<boolean> {
  return hasRow(
    databaseUrl,
    `select 1 from pg_stat_activity where datname = current_database()
       and application_name ~ '^(query-api|projector)' limit 1`,
  );
}

async function hasRow(databaseUrl: string, statement: string): Promise<boolean> {
  const client = createClient({ url: databaseUrl, name: "command" });
  await client.connect();
  try {
    return (await client.query(statement)).rows.length > 0;
  } finally {
    await client.end();
  }
}

/** Logs errors only to the terminal: there is no data folder for a log file. */
export const terminalLog: LogFile = {
  destination: {
    write(line) {
      if ((JSON.parse(line) as { level?: string }).level?.match(/^(error|fatal)$/))
        process.stderr.write(line);
    },
  },
  quietTerminal: () => undefined,
  close: () => undefined,
};
