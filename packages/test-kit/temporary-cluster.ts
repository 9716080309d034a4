import { chmod, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { postgresAccount } from "#dev/embedded-postgres/account.ts";
import { initialiseCluster } from "#dev/embedded-postgres/cluster.ts";
import { preparePrograms } from "#dev/embedded-postgres/programs.ts";
import type { PostgresServer } from "#dev/embedded-postgres/server.ts";
import { startServer } from "#dev/embedded-postgres/server.ts";

const password = "test";

/** A PostgreSQL cluster in a temporary folder, fast rather than durable. */
export type TemporaryCluster = {
  /** Starts a server on it; the port is a free one unless given. */
  start(port?: number): Promise<PostgresServer>;
  /** Removes the folder. Stop the server first. */
  remove(): Promise<void>;
};

export async function createTemporaryCluster(): Promise<TemporaryCluster> {
  const programs = await preparePrograms(await postgresAccount());
  const folder = await mkdtemp(path.join(os.tmpdir(), "registry-test-postgres-"));
  await chmod(folder, 0o755);
  const directory = path.join(folder, "data");
  await initialiseCluster(programs, directory, { password, durable: false });
  return {
    start: (port) =>
      startServer(programs, directory, {
        password,
        durable: false,
        logFile: path.join(folder, "postgres.log"),
        ...(port === undefined ? {} : { port }),
        settings: { max_connections: "200" },
      }),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
