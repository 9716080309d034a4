import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { freePort } from "#local-servers/postgres/server.ts";
import { processEnvironment } from "./config.ts";
import type { HttpRequest } from "./load.ts";
import type { BenchStores } from "./stores.ts";

/** The measured program: all of `npm start`, or one service as a separate process. */
export type Program = "launcher" | "command-api" | "mailer";

/** Calls the registry. @returns the reply's `data`. @throws Error if refused. */
export type Caller = <T>(method: HttpRequest["method"], path: string, body?: object) => Promise<T>;

/** A program running on a run's stores. */
export interface System {
  /** Without a trailing slash. */
  readonly url: string;
  readonly visitor: Caller;
  /** Signs in the admin. @returns an access token, valid for 15 minutes. */
  signIn(): Promise<string>;
  as(token: string): Caller;
  stop(): Promise<void>;
}

const SIGN_IN = "/prod/api/auth/login";
export const ADMIN = { email: "bench@registry.example", password: "Correct-horse-battery-9" };
/** The first start may have to build the web apps. */
const START_LIMIT_MS = 180_000;
const OUTPUT_KEPT = 4000;
/** Attempts after a 503, each with the same key, and the pause before each. */
const RETRIES = 5;
const RETRY_MS = 200;

/**
 * Starts the program with limits off, and waits until it is ready.
 * @param started receives a function that stops it, in case nothing else does.
 * @param variables additional environment variables.
 * @throws Error with its last output if it does not start.
 */
export async function startSystem(
  program: Program,
  stores: BenchStores,
  started: AsyncDisposableStack,
  variables: Readonly<Record<string, string>> = {},
): Promise<System> {
  const port = await freePort();
  const child: ChildProcess = spawn(process.execPath, ["launcher/run.js", program], {
    cwd: path.resolve(import.meta.dirname, ".."),
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
    program === "launcher" ? /^Ready after /m.test(output) : await answers(`${url}/readyz`);
  const deadline = Date.now() + START_LIMIT_MS;
  while (!(await isUp())) {
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`${program} did not start:\n${output}`);
    }
    await delay(50);
  }
  const visitor = caller(url);
  return {
    url,
    visitor,
    as: (token) => caller(url, token),
    signIn: async () => (await visitor<{ token: string }>("POST", SIGN_IN, ADMIN)).token,
    stop,
  };
}

async function answers(url: string): Promise<boolean> {
  const answer = await fetch(url).catch(() => undefined);
  await answer?.arrayBuffer().catch(() => undefined);
  return answer?.ok === true;
}

function caller(url: string, token?: string): Caller {
  return async <T>(method: HttpRequest["method"], path: string, body?: object) => {
    const headers = {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { "content-type": "application/json", "idempotency-key": randomUUID() } : {}),
    };
    for (let attempt = 0; ; attempt += 1) {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await answer.text();
      if (answer.ok) return (JSON.parse(text) as { data: T }).data;
      if (answer.status !== 503 || attempt >= RETRIES)
        throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
      await delay(RETRY_MS);
    }
  };
}
