import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { childEnvironment } from "#local-servers/config.ts";
import { freePort } from "#local-servers/postgres/server.ts";
import { eventually } from "#test-kit/reached-position.ts";

const root = path.resolve(import.meta.dirname, "../..");
const host = "127.0.0.1";

/** Why HAProxy cannot be started here; undefined if it can. */
export const noHaproxy = spawnSync("haproxy", ["-v"]).error
  ? "HAProxy is not installed (Debian's package haproxy)"
  : undefined;

/** Process addresses of each service; nothing listens there if absent. */
export interface Backends {
  readonly commandApi?: readonly string[];
  readonly queryApi?: readonly string[];
  readonly web?: readonly string[];
}

export interface HaproxyOptions {
  /** Exact number of proxies in front; 0 by default. */
  readonly trustProxy?: number;
  /** Additional environment, such as the files of authorities and certificates. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Replaces time limits in the file, such as `{ "timeout server 20s": "timeout server 1s" }`. */
  readonly instead?: Readonly<Record<string, string>>;
}

export interface Haproxy {
  readonly url: string;
  /** The operators' port. */
  readonly operators: string;
  readonly child: ChildProcess;
  /** Everything it has printed, including its log. */
  output(): string;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** SIGKILL, as in a crash. */
  kill(): Promise<void>;
  /** Restarts it on the same ports. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts HAProxy with `deploy/haproxy.cfg`. Containers have one name for all processes of a service; here
 * each has its own port, so only the addresses are replaced.
 *
 * @throws Error with its output if it does not start.
 */
export async function startHaproxy(
  behind: Backends,
  options: HaproxyOptions = {},
): Promise<Haproxy> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "registry-haproxy-"));
  const file = path.join(folder, "haproxy.cfg");
  await writeFile(file, await settled(behind, options.instead ?? {}));
  const [port, operations] = [await freePort(), await freePort()];
  const env = {
    ...childEnvironment(),
    HOST: host,
    PORT: String(port),
    OPERATIONS_PORT: String(operations),
    TRUST_PROXY: String(options.trustProxy ?? 0),
    ...options.environment,
  };
  let output = "";
  const run = () => {
    const child = spawn("haproxy", ["-db", "-f", file], {
      cwd: root,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk) => {
        output += chunk;
      });
    const exited = once(child, "close").then(([code, signal]) => ({ code, signal }));
    return { child, exited };
  };
  const url = `http://${host}:${port}`;
  let running = run();
  const kill = async () => {
    const { child, exited } = running;
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await exited;
  };
  const untilListening = () =>
    eventually(
      "HAProxy listens",
      async () => {
        if (running.child.exitCode !== null) throw new Error(`HAProxy ended:\n${output}`);
        return (await fetch(`${url}/healthz`).catch(() => undefined))?.ok ?? false;
      },
      30_000,
    );
  const stop = async () => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilListening();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    operators: `${options.environment?.TLS_CERTIFICATE_FILE ? "https" : "http"}://${host}:${operations}`,
    get child() {
      return running.child;
    },
    output: () => output,
    get exited() {
      return running.exited;
    },
    kill,
    async start() {
      running = run();
      await untilListening();
    },
    stop,
  };
}

/**
 * Starts HAProxy for one test, which ends it. Its upstreams run within the test process, which a busy machine may
 * delay, so they have more time to report ready.
 */
export async function openHaproxy(
  behind: Backends,
  options: HaproxyOptions = {},
): Promise<Haproxy> {
  const instead = { "timeout check 2500ms": "timeout check 20s", ...options.instead };
  const haproxy = await startHaproxy(behind, { ...options, instead });
  onTestFinished(() => haproxy.stop());
  return haproxy;
}

async function settled(
  behind: Backends,
  instead: Readonly<Record<string, string>>,
): Promise<string> {
  const lists = {
    COMMAND_API_HOST: behind.commandApi,
    QUERY_API_HOST: behind.queryApi,
    WEB_HOST: behind.web,
  };
  const nobody = [`http://${host}:${await freePort()}`];
  let text = await readFile(path.join(root, "deploy/haproxy.cfg"), "utf8");
  for (const [from, to] of Object.entries(instead)) {
    if (!text.includes(from)) throw new Error(`haproxy.cfg does not hold "${from}"`);
    text = text.replaceAll(from, to);
  }
  return text
    .replace(/ init-addr none resolvers names$/m, "")
    .replace(
      /^ {2}server-template (\S+) 1-8 "\$\{(\w+)\}:\d+"(.*)$/gm,
      (_line, name, variable, more) =>
        (lists[variable as keyof typeof lists] ?? nobody)
          .map((url, i) => `  server ${name}${i + 1} ${new URL(url).host}${more}`)
          .join("\n"),
    );
}
