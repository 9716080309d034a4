import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { compiledPrograms } from "#test-kit/config.ts";
import type { ProcessorSettings } from "../daemon/processor.ts";
import type { ProjectorFixture } from "./projector.fixture.ts";

/** The projector in a separate process. */
export interface ProjectorProcess {
  readonly child: ChildProcess;
  /** Its address, read from its log. */
  readonly url: Promise<string>;
  /** Lines that it has logged so far. */
  logged(): string;
  /** Sends SIGKILL. Resolves when the process has exited. */
  kill(): Promise<void>;
}

/** Starts the projector on the fixture's stores, with a test's settings if given. */
export function startProcess(
  fixture: ProjectorFixture,
  settings?: ProcessorSettings,
): ProjectorProcess {
  return settings
    ? spawnProcess(fixture, "projector.process.ts", [JSON.stringify(settings)])
    : spawnProcess(fixture, "../main.ts");
}

/** Starts a rebuild of everything on the fixture's stores. */
export function startRebuild(fixture: ProjectorFixture): Pick<ProjectorProcess, "child" | "kill"> {
  return spawnProcess(fixture, "rebuild.process.ts");
}

function spawnProcess(
  fixture: ProjectorFixture,
  main: string,
  args: readonly string[] = [],
): ProjectorProcess {
  const { databaseUrl, masterKeys } = fixture.config;
  const [masterKey] = masterKeys as Buffer[];
  const child = spawn(process.execPath, [path.join(import.meta.dirname, main), ...args], {
    env: {
      ...compiledPrograms(),
      DATABASE_URL: databaseUrl,
      MASTER_KEY: masterKey?.toString("hex"),
      PORT: "0",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = "";
  child.stdout?.on("data", (chunk) => {
    text += String(chunk);
    const port = /127\.0\.0\.1:(\d+)/.exec(text)?.[1];
    if (port) resolve(`http://127.0.0.1:${port}`);
  });
  return {
    child,
    url: promise,
    logged: () => text,
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
