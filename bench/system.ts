import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { freePort } from "#local-servers/postgres/server.ts";
import { processEnvironment } from "./config.ts";
import type { BenchStores } from "./stores.ts";

const root = path.resolve(import.meta.dirname, "..");

/** What is measured: all of `npm start`, or one service as a separate process. */
export type Program = "registry" | "command-api" | "mailer";

const PROGRAMS: Readonly<Record<Program, string>> = {
  registry: "launcher/start.ts",
  "command-api": "services/command-api/main.ts",
  mailer: "services/mailer/main.ts",
};

/** A program that runs on the stores of a run. */
export interface System {
  /** Without a trailing slash. */
  readonly url: string;
  /** Signs the admin in. @returns an access token, valid for fifteen minutes. */
  signIn(): Promise<string>;
  /** Drains and ends it. */
  stop(): Promise<void>;
}

const ADMIN = { email: "bench@registry.example", password: "Correct-horse-battery-9" };
/** The first start may have to build the web apps. */
const START_LIMIT_MS = 180_000;
const OUTPUT_KEPT = 4000;

/**
 * Starts the program with limits off, and waits until it is ready.
 * @param started receives a function that stops it, in case nothing else does.
 * @param variables further ones of its environment.
 * @throws Error with its last output if it does not start.
 */
export async function startSystem(
  program: Program,
  stores: BenchStores,
  started: AsyncDisposableStack,
  cpuProfile: string | undefined,
  variables: Readonly<Record<string, string>> = {},
): Promise<System> {
  const port = await freePort();
  const profiling = cpuProfile ? ["--cpu-prof", `--cpu-prof-dir=${path.resolve(cpuProfile)}`] : [];
  const child: ChildProcess = spawn(process.execPath, [...profiling, PROGRAMS[program]], {
    cwd: root,
    env: processEnvironment({
      ...stores.environment,
      PORT: String(port),
      DATA_DIR: path.join(stores.folder, "registry"),
      FILES_URL: pathToFileURL(path.join(stores.folder, "files")).href,
      RATE_LIMIT: "off",
      STAFF_SECOND_FACTOR: "off",
      SAMPLE_DATA: "none",
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ...variables,
    }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      output = `${output}${chunk}`.slice(-OUTPUT_KEPT);
    });
  const exited = once(child, "close");
  const stop = async () => {
    child.kill("SIGTERM");
    await exited;
  };
  started.defer(stop);

  const url = `http://127.0.0.1:${port}`;
  const isUp = async () =>
    program === "registry" ? /^Ready after /m.test(output) : await answers(`${url}/readyz`);
  const deadline = Date.now() + START_LIMIT_MS;
  while (!(await isUp())) {
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`${program} did not start:\n${output}`);
    }
    await delay(50);
  }
  return {
    url,
    async signIn() {
      const answer = await fetch(`${url}/prod/api/auth/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(ADMIN),
      });
      const { data } = (await answer.json()) as { data?: { token: string } };
      if (!data) throw new Error(`the sign-in answered ${answer.status}`);
      return data.token;
    },
    stop,
  };
}

async function answers(url: string): Promise<boolean> {
  const answer = await fetch(url).catch(() => undefined);
  await answer?.arrayBuffer().catch(() => undefined);
  return answer?.ok === true;
}
