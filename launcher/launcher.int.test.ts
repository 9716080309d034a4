import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { endLeftovers } from "#local-servers/postgres/open.ts";
import { createClient } from "#runtime/db/pool.ts";
import { freshDatabase, type TestDatabase } from "#test-kit/database.ts";
import { readLauncherConfig } from "./config.ts";
import { dataPaths } from "./data-folder.ts";
import { openInstance } from "./launcher.ts";
import { prepareStores } from "./serve.ts";

let folder: string;
let database: TestDatabase;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "registry-launcher-"));
  database = await freshDatabase();
});
afterAll(async () => {
  await endLeftovers(dataPaths(folder).cluster);
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  await database.drop();
});

/** Names of the service keys in a store; undefined if it has no such table. */
async function serviceKeys(url: string): Promise<string[] | undefined> {
  const client = createClient({ url, name: "test" });
  await client.connect();
  try {
    const { rows } = await client.query<{ there: boolean }>(
      "select to_regclass('keys.service_key') is not null as there",
    );
    if (!rows[0]?.there) return undefined;
    const keys = await client.query<{ key: string }>(
      "select encode(sha256(wrapped), 'hex') as key from keys.service_key order by 1",
    );
    return keys.rows.map(({ key }) => key);
  } finally {
    await client.end();
  }
}

/** Opens the data folder as `npm start` does, looks into its stores, and closes it again. */
async function open<T>(variables: Record<string, string>, look: (url: string) => Promise<T>) {
  await using started = new AsyncDisposableStack();
  const config = readLauncherConfig({ DATA_DIR: folder, LOG_LEVEL: "silent", ...variables });
  const { instance } = await openInstance({ ...config, port: 0 }, () => undefined, started);
  await prepareStores(instance, () => undefined);
  return await look(instance.stores.DATABASE_URL);
}

it("moves the keys of a data folder to the database in KEYS_URL", async () => {
  const before = await open({}, serviceKeys);
  expect(before).not.toHaveLength(0);
  expect(await open({ KEYS_URL: database.url }, serviceKeys)).toBeUndefined();
  expect(await serviceKeys(database.url)).toEqual(before);
}, 60_000);
