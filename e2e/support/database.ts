import { readFile } from "node:fs/promises";
import pg from "pg";
import { dataPaths } from "#launcher/data-folder.ts";
import { databaseName } from "#local-servers/postgres/open.ts";
import { readPostmaster, serverUrl } from "#local-servers/postgres/server.ts";

/** Runs work on the database of a running registry, as its superuser. */
export async function onDatabase<T>(
  dataDir: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const { cluster, databasePassword } = dataPaths(dataDir);
  const { port } = await readPostmaster(cluster);
  const password = (await readFile(databasePassword, "utf8")).trim();
  const url = serverUrl(port as number, password, databaseName);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
