import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { childEnvironment } from "#local-servers/config.ts";
import { freePort } from "#local-servers/postgres/server.ts";
import { makeOwnedFolder, removeAbandoned } from "./abandoned.ts";
import { testServerUrl } from "./config.ts";
import { freeze } from "./freeze.ts";

/** A Redis server for one suite that stops and restarts it. */
export type OwnRedis = {
  /** The same across restarts. */
  url: string;
  /** SIGKILL, as in a crash. It comes back empty unless its settings turn on persistence. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  /** Removes its files. Call it while the server is not running. */
  wipe(): Promise<void>;
  /** SIGSTOP: connections stay open, but nothing answers. */
  freeze(): Promise<void>;
  /** SIGCONT: it then also answers what was asked while it was frozen. */
  thaw(): void;
  /** Stops it for good. */
  dispose(): Promise<void>;
};

const prefix = "registry-test-redis-";
const isInstalled = spawnSync("redis-server", ["--version"], { timeout: 10_000 }).status === 0;

/** Why a test that needs its own Redis server is skipped here; undefined if it can run. */
export const noOwnRedis = isInstalled ? undefined : "no redis-server is installed";

/** Why a test that needs any Redis server is skipped here; undefined if it can run. */
export const noRedis =
  isInstalled || testServerUrl("TEST_REDIS_URL")
    ? undefined
    : "no redis-server is installed, and TEST_REDIS_URL is not set";

/** Opens the server at `TEST_REDIS_URL`, which may be shared; without it, starts one. */
export async function openTestRedis(): Promise<Pick<OwnRedis, "url" | "dispose">> {
  const url = testServerUrl("TEST_REDIS_URL");
  return url ? { url, dispose: async () => undefined } : startOwnRedis();
}

/**
 * Starts a server on a free port. It ends with this process at the latest.
 * @param more settings of redis.conf, by name.
 * @param within parent of its data folder; the system's temporary folder when absent.
 */
export async function startOwnRedis(
  more: Readonly<Record<string, string>> = {},
  within = os.tmpdir(),
): Promise<OwnRedis> {
  await removeAbandoned(os.tmpdir(), prefix, endLeftover);
  const folder = await makeOwnedFolder(within, prefix);
  const port = await freePort();
  let server = await startOnPort(folder, port, more);
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, "exit");
    server.kill("SIGKILL");
    await exited;
  };
  const onExit = () => void server.kill("SIGKILL");
  process.on("exit", onExit);
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    async start() {
      server = await startOnPort(folder, port, more);
    },
    async wipe() {
      for (const name of await readdir(folder))
        await rm(path.join(folder, name), { recursive: true, force: true });
    },
    freeze: () => freeze(server.pid as number),
    thaw: () => void server.kill("SIGCONT"),
    async dispose() {
      process.off("exit", onExit);
      await kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** How long a server may take before it answers, in milliseconds. */
const START_LIMIT = 30_000;

async function startOnPort(
  folder: string,
  port: number,
  more: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const settings = { bind: "127.0.0.1", port: String(port), save: "", appendonly: "no", ...more };
  const args = Object.entries({ ...settings, dir: folder, "enable-debug-command": "no" });
  const server = spawn(
    "redis-server",
    args.flatMap(([name, value]) => [`--${name}`, value]),
    { env: childEnvironment(), stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  for (const stream of [server.stdout, server.stderr])
    stream.on("data", (chunk) => {
      output = `${output}${chunk}`.slice(-4000);
    });
  await writeFile(path.join(folder, "pid"), String(server.pid));
  const deadline = Date.now() + START_LIMIT;
  while (!(await answers(port))) {
    if (server.exitCode !== null || Date.now() > deadline) {
      server.kill("SIGKILL");
      throw new Error(`redis-server did not start on port ${port}:\n${output}`);
    }
    await delay(20);
  }
  return server;
}

/** Whether a server answers PING (in RESP's inline form) on the port. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1", () => socket.write("PING\r\n"));
    const end = (found: boolean) => {
      socket.destroy();
      resolve(found);
    };
    socket.setTimeout(1000, () => end(false));
    socket.on("data", (data) => end(String(data).startsWith("+PONG")));
    socket.on("error", () => end(false));
    socket.on("close", () => end(false));
  });
}

/** Ends the server of a killed test run, unless its number belongs to another process now. Linux only. */
async function endLeftover(folder: string): Promise<void> {
  const pid = await readFile(path.join(folder, "pid"), "utf8").catch(() => "");
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  if (command.startsWith("redis-server")) process.kill(Number(pid), "SIGKILL");
}
