import { lstat } from "node:fs/promises";
import pg from "pg";
import { embeddedStores, type LauncherConfig } from "../config.ts";
import { dataPaths } from "../data-folder.ts";
import { needsEmbeddedPostgres } from "../instance.ts";
import type { LogFile } from "../log-file.ts";

/**
 * The configuration of a system whose services are processes of their own, as the environment tells
 * of it: with the database and the master key, and nothing left to a database of this data folder.
 * As for the services, a store that is not named is in `DATABASE_URL`.
 * @returns undefined where the stores are, or would be, those of the data folder.
 */
export async function givenStores(config: LauncherConfig): Promise<LauncherConfig | undefined> {
  const { DATABASE_URL } = config.environment;
  if (!DATABASE_URL || !config.masterKey) return undefined;
  const hasCluster = await lstat(dataPaths(config.dataDir).cluster).catch(() => undefined);
  if (hasCluster && needsEmbeddedPostgres(config)) return undefined;
  const stores = embeddedStores.map((name) => [name, config.environment[name] || DATABASE_URL]);
  return { ...config, environment: { ...config.environment, ...Object.fromEntries(stores) } };
}

/** Whether a projector or a query-api is connected to the database right now. */
export async function isServed(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
  });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query(
      `select 1 from pg_stat_activity where datname = current_database()
         and application_name ~ '^(query-api|projector)' limit 1`,
    );
    return rows.length > 0;
  } finally {
    await client.end();
  }
}

/** Errors to the terminal alone: there is no data folder to keep a file in. */
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
