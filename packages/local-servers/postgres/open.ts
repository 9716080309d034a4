import { execFile } from "node:child_process";
import { lstat, readdir, readFile, readlink, rm, stat, truncate } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { withClient } from "#runtime/db/pool.ts";
import { explainWriteError, Refusal } from "#runtime/lifecycle/refusal.ts";
import { initialiseCluster, postgresAccount } from "./cluster.ts";
import { majorOf, preparePrograms } from "./programs.ts";
import { type PostgresServer, readPostmaster, startServer } from "./server.ts";

export const databaseName = "registry";
export interface ClusterPaths {
  /** The folder for all of the instance's data. */
  readonly folder: string;
  readonly cluster: string;
  readonly postgresLog: string;
}
const logLimitBytes = 5 * 1024 * 1024;

/**
 * Starts the PostgreSQL of a data folder, whose lock the caller holds. It creates the cluster on the
 * first start, ends processes left from an earlier start, and makes sure the database exists.
 *
 * @param say called with a line about each slow step.
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

/** Removes clusters that a killed first start left unfinished, and ends an `initdb` that may still be running. */
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
  await withClient({ url, name: "launcher" }, async (client) => {
    const found = await client.query("select from pg_database where datname = $1", [databaseName]);
    if (found.rowCount === 0) await client.query(`create database ${databaseName}`);
  });
}

const run = promisify(execFile);

/**
 * Ends processes that an earlier start left running on this cluster: a server whose launcher was
 * killed, or children of a server that was itself killed. Call it only while holding the folder's lock.
 *
 * It touches a process only if it provably belongs to this cluster: the program is named `postgres` or
 * `initdb`, and its working directory is the cluster's folder (same device and inode; without /proc, its
 * command line names the folder). The PID in postmaster.pid alone proves nothing, since another program
 * may have it by now.
 *
 * @returns how many processes were ended.
 */
export async function endLeftovers(directory: string): Promise<number> {
  const found = await clusterProcesses(directory);
  if (found.length > 0) {
    const { pid: postmaster = 0 } = await readPostmaster(directory);
    const escalation: [NodeJS.Signals, number][] = [
      ["SIGINT", 5000],
      ["SIGQUIT", 2000],
      ["SIGKILL", 2000],
    ];
    for (const [signal, limitMs] of escalation) {
      const remaining = await clusterProcesses(directory);
      if (remaining.length === 0) break;
      // A postmaster stops its own children. Without one, each process gets a signal.
      const targets = remaining.includes(postmaster) ? [postmaster] : remaining;
      for (const pid of targets) sendSignal(pid, signal);
      await untilNone(directory, limitMs);
    }
    const survivors = await clusterProcesses(directory);
    if (survivors.length > 0)
      throw new Error(`PostgreSQL from an earlier start (process ${survivors[0]}) does not end.`);
  }
  // The process named there is not this cluster's server, so the file would only block a start.
  await rm(path.join(directory, "postmaster.pid"), { force: true });
  return found.length;
}

/** PIDs that provably belong to this cluster. */
export async function clusterProcesses(directory: string): Promise<number[]> {
  const folder = await stat(directory).catch(() => undefined);
  if (!folder) return [];
  if (process.platform === "win32") return [];
  if (process.platform !== "linux") return processesByCommandLine(directory);
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const proved = await Promise.all(
    pids.map(async (pid) => {
      try {
        const program = await readlink(`/proc/${pid}/exe`);
        if (!isPostgresProgram(program.replace(/ \(deleted\)$/, ""))) return false;
        const cwd = await stat(`/proc/${pid}/cwd`);
        return cwd.dev === folder.dev && cwd.ino === folder.ino;
      } catch {
        // It has exited in the meantime, or belongs to another user.
        return false;
      }
    }),
  );
  return pids.filter((_, index) => proved[index]).map(Number);
}

async function processesByCommandLine(directory: string): Promise<number[]> {
  const { stdout } = await run("ps", ["-axww", "-o", "pid=,command="]);
  return stdout.split("\n").flatMap((line) => {
    const [, pid, command = ""] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    const [program = ""] = command.split(" -D ");
    const isOurs = isPostgresProgram(program) && command.includes(` -D ${directory} -p `);
    return isOurs ? [Number(pid)] : [];
  });
}

function isPostgresProgram(file: string): boolean {
  return ["postgres", "initdb"].includes(path.basename(file));
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It exited by itself.
  }
}

async function untilNone(directory: string, limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (Date.now() < deadline && (await clusterProcesses(directory)).length > 0) await delay(50);
}
