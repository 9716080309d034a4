import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { freePort } from "#local-servers/postgres/server.ts";
import { plainEnvironment } from "./config.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** A registry that runs in separate processes, as an operator starts it. */
export type Registry = {
  url: string;
  port: number;
  /** Process id of the launcher. */
  pid: number;
  /** Everything printed so far, on both streams. */
  output(): string;
  /** Sends SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Sends a signal to the launcher only, and does not wait. */
  signal(signal: NodeJS.Signals): void;
  /** Resolves when the launcher's process has exited. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
};

export type RegistryOptions = {
  dataDir: string;
  /** A free one when absent. */
  port?: number;
  /** Additional environment variables. */
  env?: Record<string, string>;
};

/**
 * Starts the registry and waits until it reports that it is ready.
 *
 * @throws Error with its output if it exits first.
 */
export async function startRegistry(options: RegistryOptions): Promise<Registry> {
  const registry = await spawnRegistry(options);
  const ready = await Promise.race([
    // The last line printed, so that the output has all lines before it.
    untilPrinted(registry, /^Press Ctrl-C to stop\.$/m).then(() => true),
    registry.exited.then(() => false),
  ]);
  if (!ready) throw new Error(`the registry did not start:\n${registry.output()}`);
  return registry;
}

/** Starts the registry without waiting for anything. */
export async function spawnRegistry(options: RegistryOptions): Promise<Registry> {
  const port = options.port ?? (await freePort());
  return spawnLauncher(process.execPath, ["launcher/run.js"], port, options);
}

/** Starts the registry through npm, as documented. */
export async function spawnRegistryThroughNpm(options: RegistryOptions): Promise<Registry> {
  const port = options.port ?? (await freePort());
  return spawnLauncher("npm", ["start"], port, options);
}

/** Runs one of the operator's commands to completion; `command` is the name of a file in ops/. */
export async function runCommand(
  command: string,
  args: string[],
  options: {
    dataDir: string;
    env?: Record<string, string>;
    /** Its standard input; empty when absent. */
    input?: string;
  },
): Promise<{ code: number | null; output: string }> {
  const program = [`ops/${command}.ts`, ...args];
  const run = spawnLauncher(process.execPath, program, 0, options);
  const { code } = await run.exited;
  return { code, output: run.output() };
}

/** Resolves when the output matches; rejects if the launcher exits first. */
export async function untilPrinted(registry: Registry, pattern: RegExp): Promise<void> {
  let ended = false;
  void registry.exited.then(() => {
    ended = true;
  });
  while (!pattern.test(registry.output())) {
    if (ended) throw new Error(`never printed ${pattern}:\n${registry.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function spawnLauncher(
  program: string,
  args: string[],
  port: number,
  options: RegistryOptions & { input?: string },
): Registry {
  const child: ChildProcess = spawn(program, args, {
    cwd: root,
    env: {
      ...plainEnvironment(),
      SAMPLE_DATA: "none",
      PORT: String(port),
      DATA_DIR: options.dataDir,
      ...options.env,
    },
    stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  child.stdin?.end(options.input);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      output += chunk;
    });
  const exited = once(child, "close").then(([code, signal]) => ({ code, signal }));
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    output: () => output,
    signal: (signal) => void child.kill(signal),
    exited,
    async stop() {
      child.kill("SIGTERM");
      return (await exited).code;
    },
  };
}
