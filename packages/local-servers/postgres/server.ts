import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { createClient } from "#runtime/db/pool.ts";
import { childEnvironment } from "../config.ts";
import { clusterUser, dataArgument } from "./cluster.ts";
import type { PostgresPrograms } from "./programs.ts";

export type ServerOptions = {
  password: string;
  /** TCP port on 127.0.0.1; a free one by default. */
  port?: number;
  /** False trades durability on power loss for speed (tests). */
  durable: boolean;
  /** File that PostgreSQL's own messages are appended to. */
  logFile: string;
  /** Additional settings, such as `{ max_connections: "50" }`. */
  settings?: Record<string, string>;
};

export type PostgresServer = {
  port: number;
  pid: number;
  /** Connection URL of a database, with its password. */
  url(database?: string): string;
  /** Resolves when the server's process has exited for any reason. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Fast shutdown. After `limitMs` an immediate one, which loses nothing but requires recovery. */
  stop(limitMs?: number): Promise<void>;
  /** SIGKILL, as in a crash: nothing is flushed. */
  kill(): Promise<void>;
};

export function serverUrl(port: number, password: string, database: string): string {
  return `postgres://${clusterUser}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

/** Reads postmaster.pid; empty if the file does not exist. */
export async function readPostmaster(directory: string): Promise<{ pid?: number; port?: number }> {
  const text = await readFile(path.join(directory, "postmaster.pid"), "utf8").catch(() => "");
  const [pid, , , port] = text.split("\n").map(Number);
  return omitUndefined({ pid: pid || undefined, port: port || undefined });
}

/** Finds a free TCP port on 127.0.0.1, if possible below the ephemeral ports (Linux: 32768, IANA: 49152). */
export function freePort(): Promise<number> {
  return probed(randomInt(20_000, 32_768)).catch(() => probed(0));
}

/** Returns the port if it is free; 0 lets the system choose one. */
async function probed(wanted: number): Promise<number> {
  const probe = net.createServer().listen(wanted, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as net.AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

/**
 * Starts PostgreSQL on the cluster in `directory`, on loopback only, and resolves once it answers. The
 * server has its own session, so that Ctrl-C in the terminal reaches only the launcher, which can then
 * stop PostgreSQL last.
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
      // Another process may take the free port before it is used.
      const portWasTaken = options.port === undefined && /could not bind/i.test(message);
      // Processes of a killed server notice within moments and exit.
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
    // Callers log their own statement errors. In this log they could contain personal data.
    log_min_messages: "log",
    log_min_error_statement: "panic",
    log_error_verbosity: "terse",
    // Finished segments of the write-ahead log are removed, because recycled ones keep old rows for a long time.
    wal_recycle: "off",
    // Without fsync, a server crash alone loses nothing; a machine crash may.
    ...(options.durable ? {} : { fsync: "off" }),
    ...options.settings,
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** Resolves to true once the server accepts connections, to false if its process has exited. */
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
