import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { PROGRAMS } from "#launcher/programs.js";
import { eventually } from "#test-kit/reached-position.ts";
import { plainEnvironment } from "./config.ts";

const root = path.resolve(import.meta.dirname, "../..");

export type ProcessName = Exclude<keyof typeof PROGRAMS, "launcher">;

export interface ServiceProcess {
  readonly name: ProcessName;
  readonly child: ChildProcess;
  /** Everything printed so far, on both streams. */
  output(): string;
  /** URL of its own port, once it listens. @throws if it exits first. */
  url(): Promise<string>;
  /** Resolves when the process has exited. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

const started = new Set<ChildProcess>();

/** Kills everything that a test left running. */
export async function endProcesses(): Promise<void> {
  const left = [...started].filter((child) => child.exitCode === null && child.signalCode === null);
  started.clear();
  await Promise.all(
    left.map(async (child) => {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    }),
  );
}

/** Starts a service on a free port, with only these settings. */
export function startProcess(
  name: ProcessName,
  env: Readonly<Record<string, string>>,
): ServiceProcess {
  const child = spawn(process.execPath, ["launcher/run.js", name], {
    cwd: root,
    env: { ...plainEnvironment(), PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      output += chunk;
    });
  const listening = () => /"msg":"Server listening at (https?:\/\/[^"]+)"/.exec(output)?.[1];
  return {
    name,
    child,
    output: () => output,
    exited: once(child, "close").then(([code, signal]) => ({ code, signal })),
    async url() {
      await eventually(
        `${name} listens`,
        () => {
          if (child.exitCode !== null || child.signalCode !== null)
            throw new Error(`${name} exited:\n${output}`);
          return listening() !== undefined;
        },
        60_000,
      );
      return listening() as string;
    },
  };
}

/** Waits until the process reports that it is ready. @returns its URL. */
export async function untilReady(service: ServiceProcess): Promise<string> {
  const url = await service.url();
  await eventually(
    `${service.name} is ready`,
    async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok ?? false,
    60_000,
  );
  return url;
}
