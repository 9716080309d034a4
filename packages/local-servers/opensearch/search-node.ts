import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../postgres/server.ts";
import { javaEnvironment } from "./config.ts";
import { javaProgram } from "./jdk.ts";
import { prepareFolder, prepareNode } from "./programs.ts";

export type NodeOptions = {
  /** Folder for its data and its log file, `opensearch.log`. */
  folder: string;
  /** TCP port on 127.0.0.1; a free one by default. */
  port?: number | undefined;
  /** Called with what is being waited for. */
  say?: (line: string) => void;
};

/** An OpenSearch node that this process started. */
export type SearchNode = {
  port: number;
  pid: number;
  url: string;
  logFile: string;
  /** Resolves when the node's process has exited for any reason. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Stops it. After `limitMs` it is killed, which loses no acknowledged data. */
  stop(limitMs?: number): Promise<void>;
  /** SIGKILL, as in a crash. */
  kill(): Promise<void>;
};

/** Small and quick to start, with little memory: it serves a single developer. */
const javaOptions = [
  ...["-Xms512m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"],
  ...["-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED", "-Djava.awt.headless=true"],
];

/** A busy machine needs a minute for what usually takes five seconds. */
const startLimitMs = 240_000;

/**
 * Starts one node, on loopback only, and resolves once it answers and has opened its indexes.
 * @throws {Refusal} no JDK or no Maven.
 * @throws Error with the node's last messages if it does not start.
 */
export async function startSearchNode(options: NodeOptions): Promise<SearchNode> {
  const folder = path.resolve(options.folder);
  const { jdk, classPath } = await prepareNode(options.say ?? (() => undefined));
  await prepareFolder(folder);
  const port = options.port || (await freePort());
  const logFile = path.join(folder, "opensearch.log");
  const log = await open(logFile, "a", 0o600);
  const logStart = (await log.stat()).size;
  let child: ChildProcess;
  try {
    child = spawn(
      javaProgram(jdk),
      [
        ...javaOptions,
        // Keep its files out of the temporary folder that all users share.
        `-Djava.io.tmpdir=${folder}`,
        ...["-cp", classPath, "SearchNode", folder, String(port)],
      ],
      {
        cwd: folder,
        env: javaEnvironment(jdk.home),
        // The node exits when its standard input closes, so it exits with this process, however that ends.
        stdio: ["pipe", log.fd, log.fd],
        // Ctrl-C in the terminal then reaches only this process, which stops the node.
        detached: true,
      },
    );
    await once(child, "spawn");
  } finally {
    await log.close();
  }
  child.stdin?.on("error", () => undefined);
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  const url = `http://127.0.0.1:${port}`;
  const kill = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  if (!(await answers(url, exited))) {
    await kill();
    const messages = (await readFile(logFile, "utf8")).slice(logStart).trim();
    throw new Error(`OpenSearch did not start: ${messages.split("\n").slice(-8).join(" | ")}`);
  }
  return {
    port,
    pid: child.pid as number,
    url,
    logFile,
    exited,
    async stop(limitMs = 10_000) {
      child.kill("SIGTERM");
      const gone = new AbortController();
      await Promise.race([
        exited,
        delay(limitMs, undefined, { signal: gone.signal, ref: false }).catch(() => undefined),
      ]);
      gone.abort();
      await kill();
    },
    kill,
  };
}

/** Resolves to true once every index can be read and written, to false if the process has exited. */
async function answers(url: string, exited: Promise<unknown>): Promise<boolean> {
  let gone = false;
  void exited.then(() => {
    gone = true;
  });
  const deadline = Date.now() + startLimitMs;
  while (!gone && Date.now() < deadline) {
    try {
      const health = await fetch(`${url}/_cluster/health?wait_for_status=yellow&timeout=5s`, {
        signal: AbortSignal.timeout(10_000),
      });
      if (health.ok) return true;
    } catch {
      // Not ready yet.
    }
    await delay(100);
  }
  return false;
}
