import { rm, statfs } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { initialiseCluster, postgresAccount } from "#local-servers/postgres/cluster.ts";
import { endLeftovers } from "#local-servers/postgres/open.ts";
import { preparePrograms } from "#local-servers/postgres/programs.ts";
import type { PostgresServer } from "#local-servers/postgres/server.ts";
import { startServer } from "#local-servers/postgres/server.ts";
import { makeOwnedFolder, removeAbandoned } from "./abandoned.ts";

const password = "test";

/** A PostgreSQL cluster in a temporary folder, fast rather than durable. */
export type TemporaryCluster = {
  /** Starts a server on it, on a free port unless one is given. */
  start(port?: number): Promise<PostgresServer>;
  /** Removes the folder. Stop the server first. */
  remove(): Promise<void>;
};

const prefix = "registry-test-postgres-";

/** In memory on Linux: a database has 700 files, and a run makes hundreds of databases. */
const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 3 * 1024 ** 3;

async function fastestFolder(): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => undefined);
  return memory && memory.bavail * memory.bsize > ENOUGH_BYTES ? MEMORY : os.tmpdir();
}

/** @param within parent of its folder; memory or the system's temporary folder when absent. */
export async function createTemporaryCluster(within?: string): Promise<TemporaryCluster> {
  for (const parent of [MEMORY, os.tmpdir()])
    await removeAbandoned(parent, prefix, (folder) => endLeftovers(path.join(folder, "data")));
  const programs = await preparePrograms(await postgresAccount());
  const folder = await makeOwnedFolder(within ?? (await fastestFolder()), prefix);
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  const directory = path.join(folder, "data");
  try {
    await initialiseCluster(programs, directory, { password, durable: false });
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    start: (port) =>
      startServer(programs, directory, {
        password,
        durable: false,
        logFile: path.join(folder, "postgres.log"),
        ...(port === undefined ? {} : { port }),
        // Several files use it concurrently, and one of them may run the services many times over.
        settings: { max_connections: "500", max_wal_size: "512MB" },
      }),
    remove,
  };
}
