import { lstat, readdir, readFile, rm, truncate } from "node:fs/promises";
import path from "node:path";
import { createClient } from "#runtime/db/pool.ts";
import { explainWriteError, Refusal } from "#runtime/lifecycle/refusal.ts";
import { postgresAccount } from "./account.ts";
import { initialiseCluster } from "./cluster.ts";
import { endLeftovers } from "./leftovers.ts";
import { majorOf, preparePrograms } from "./programs.ts";
import { type PostgresServer, startServer } from "./server.ts";

export const databaseName = "registry";
export interface ClusterPaths {
  /** The folder for everything that the instance keeps. */
  readonly folder: string;
  readonly cluster: string;
  readonly postgresLog: string;
}
const logLimitBytes = 5 * 1024 * 1024;

/**
 * Starts the PostgreSQL of a data folder, whose lock the caller holds. It creates the cluster at
 * the first start, ends what an earlier start left running, and makes sure that the database
 * exists.
 *
 * @param say called with a line about each step that takes time.
 * @param signal aborts the creation of the cluster, which takes longest.
 * @param bin folder of another PostgreSQL's programs.
 * @throws {Refusal} files of another major version, no space left, or no program for this machine.
 */
export async function openEmbeddedPostgres(
  paths: ClusterPaths,
  password: string,
  say: (line: string) => void,
  { signal, bin }: { signal?: AbortSignal | undefined; bin?: string | undefined } = {},
): Promise<PostgresServer> {
  try {
    await removeTornClusters(paths.cluster);
    const programs = await preparePrograms(await postgresAccount(paths.cluster), { bin });
    if (await lstat(paths.cluster).catch(() => undefined)) {
      await checkVersion(paths.cluster, programs.version);
      const ended = await endLeftovers(paths.cluster);
      if (ended > 0) say("ended a PostgreSQL server that an earlier start had left running");
    } else {
      say("creating the database (first start only)");
      await initialiseCluster(programs, paths.cluster, { password, durable: true, signal });
    }
    await shortenLog(paths.postgresLog);
    const server = await startServer(programs, paths.cluster, {
      password,
      durable: true,
      logFile: paths.postgresLog,
    });
    try {
      await ensureDatabase(server.url());
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  } catch (error) {
    const explained = explainWriteError(error, paths.folder);
    if (explained instanceof Refusal) throw explained;
    throw new Refusal(
      `${(explained as Error).message.replace(/\s*\n\s*/g, " | ")} (its log is ${paths.postgresLog})`,
      { cause: error },
    );
  }
}

/**
 * Removes clusters that a first start was creating when it was killed, and ends an `initdb` that
 * may still run.
 */
async function removeTornClusters(cluster: string): Promise<void> {
  const folder = path.dirname(cluster);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${path.basename(cluster)}.init-`)) continue;
    await endLeftovers(path.join(folder, name, "data"));
    await rm(path.join(folder, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

async function checkVersion(cluster: string, programs: string): Promise<void> {
  const text = await readFile(path.join(cluster, "PG_VERSION"), "utf8").catch((error) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const version = text.trim();
  const major = String(majorOf(programs));
  if (version === major) return;
  throw new Refusal(
    version === ""
      ? `The folder ${cluster} holds no PostgreSQL data: move it away, or restore it from a backup.`
      : `The data in ${cluster} was written by PostgreSQL ${version}, and this program runs ${major}: use the version that wrote it (POSTGRES_BIN names its programs).`,
  );
}

async function shortenLog(file: string): Promise<void> {
  const size = (await lstat(file).catch(() => undefined))?.size ?? 0;
  if (size > logLimitBytes) await truncate(file);
}

async function ensureDatabase(url: string): Promise<void> {
  const client = createClient({ url, name: "launcher" });
  await client.connect();
  try {
    const found = await client.query("select from pg_database where datname = $1", [databaseName]);
    if (found.rowCount === 0) await client.query(`create database ${databaseName}`);
  } finally {
    await client.end();
  }
}
