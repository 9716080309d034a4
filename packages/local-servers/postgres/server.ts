import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { given } from "#contracts/given.ts";
import { createClient } from "#runtime/db/pool.ts";
import { childEnvironment } from "../config.ts";
import { clusterUser, dataArgument } from "./cluster.ts";
import type { PostgresPrograms } from "./programs.ts";

export type ServerOptions = {
  password: string;
  /** TCP port on 127.0.0.1; a free one when absent. */
  port?: number;
  /** False trades safety against power loss for speed (tests). */
  durable: boolean;
  /** File to which PostgreSQL's own messages are appended. */
  logFile: string;
  /** Further settings, e.g. `{ max_connections: "50" }`. */
  settings?: Record<string, string>;
};

export type PostgresServer = {
  port: number;
  pid: number;
  /** Connection URL of a database, with its password. */
  url(database?: string): string;
  /** Resolves when the server's process has exited, for any reason. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Fast shutdown. After `limitMs` an immediate one, which loses nothing but needs recovery. */
  stop(limitMs?: number): Promise<void>;
  /** SIGKILL, as in a crash: nothing is flushed. */
  kill(): Promise<void>;
};

export function serverUrl(port: number, password: string, database: string): string {
  return `postgres://${clusterUser}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/** What postmaster.pid says about a cluster's server; empty when there is no such file. */
export async function readPostmaster(directory: string): Promise<{ pid?: number; port?: number }> {
  const text = await readFile(path.join(directory, "postmaster.pid"), "utf8").catch(() => "");
  const [pid, , , port] = text.split("\n").map(Number);
  return given({ pid: pid || undefined, port: port || undefined });
}

/** A free TCP port on 127.0.0.1, if possible below those of outgoing connections (Linux: 32768, IANA: 49152). */
export function freePort(): Promise<number> {
  return probed(randomInt(20_000, 32_768)).catch(() => probed(0));
}

/** @returns the port, or one that the system chooses for 0. */
async function probed(wanted: number): Promise<number> {
  const probe = net.createServer().listen(wanted, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as net.AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

/**
 * Starts PostgreSQL on the cluster in `directory`, on loopback only, and resolves when it answers.
 * The server has its own session, so that Ctrl-C in the terminal reaches only the launcher, which
 * can then stop PostgreSQL last.
 *
 * @throws Error with the server's last messages if it does not start.
 */
export async function startServer(
  programs: PostgresPrograms,
  directory: string,
  options: ServerOptions,
): Promise<PostgresServer> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const port = options.port ?? (await freePort());
    try {
      return await startOnPort(programs, directory, port, options);
    } catch (error) {
      const { message } = error as Error;
      // Between finding a free port and using it, someone else may take it.
      const portWasTaken = options.port === undefined && /could not bind/i.test(message);
      // Processes of a killed server notice it within moments and end.
      const orphansRemain = /pre-existing shared memory block/i.test(message);
      if (!(portWasTaken || orphansRemain) || Date.now() > deadline) throw error;
      await delay(100);
    }
  }
}

async function startOnPort(
  programs: PostgresPrograms,
  directory: string,
  port: number,
  options: ServerOptions,
): Promise<PostgresServer> {
  const log = await open(options.logFile, "a", 0o600);
  const logStart = (await log.stat()).size;
  let child: ChildProcess;
  try {
    child = spawn(
      programs.postgres,
      ["-D", dataArgument(directory), "-p", String(port), ...settingArguments(options)],
      {
        ...programs.account,
        cwd: directory,
        env: childEnvironment(),
        stdio: ["ignore", log.fd, log.fd],
        detached: true,
      },
    );
    await once(child, "spawn");
  } finally {
    await log.close();
  }

  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null)
      resolve({ code: child.exitCode, signal: child.signalCode });
    else child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  const stopWithThisProcess = () => child.kill("SIGINT");
  process.on("exit", stopWithThisProcess);
  void exited.then(() => process.off("exit", stopWithThisProcess));

  const url = (database = "postgres") => serverUrl(port, options.password, database);
  const signalAndWait = async (signal: NodeJS.Signals, limitMs: number) => {
    child.kill(signal);
    const timer = new AbortController();
    const gone = await Promise.race([
      exited.then(() => true),
      delay(limitMs, false, { signal: timer.signal, ref: false }).catch(() => false),
    ]);
    timer.abort();
    return gone;
  };

  if (!(await answers(url(), exited))) {
    const messages = (await readFile(options.logFile, "utf8")).slice(logStart).trim();
    throw new Error(`PostgreSQL did not start: ${lastLines(messages) || "no message"}`);
  }
  return {
    port,
    pid: child.pid as number,
    url,
    exited,
    async stop(limitMs = 5000) {
      (await signalAndWait("SIGINT", limitMs)) ||
        (await signalAndWait("SIGQUIT", 2000)) ||
        (await signalAndWait("SIGKILL", 2000));
    },
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

function settingArguments(options: ServerOptions): string[] {
  const settings: Record<string, string> = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "100",
    timezone: "UTC",
    log_timezone: "UTC",
    // Callers log errors of their statements. In this log they could carry personal data.
    log_min_messages: "log",
    log_min_error_statement: "panic",
    log_error_verbosity: "terse",
    // Finished segments of the write-ahead log are removed, because recycled ones keep old rows for
    // long.
    wal_recycle: "off",
    // Without fsync, a crash of the server alone loses nothing; a crash of the machine may.
    ...(options.durable ? {} : { fsync: "off" }),
    ...options.settings,
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** Resolves to true when the server takes connections, to false when its process has ended. */
async function answers(url: string, exited: Promise<unknown>): Promise<boolean> {
  let gone = false;
  void exited.then(() => {
    gone = true;
  });
  while (!gone) {
    const client = createClient({ url, name: "launcher" });
    try {
      await client.connect();
      return true;
    } catch {
      await delay(30);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  return false;
}

function lastLines(text: string): string {
  return text.split("\n").slice(-6).join(" | ");
}
