import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { javaEnvironment } from "#local-servers/opensearch/config.ts";
import { javaProgram } from "#local-servers/opensearch/jdk.ts";
import { freePort } from "#local-servers/postgres/server.ts";
import { testServerUrl } from "../config.ts";
import { freeze } from "../freeze.ts";
import { prepareS3 } from "./s3-programs.ts";

/** An S3 server for one suite that stops it. It keeps files in memory. */
export type S3Server = {
  /** `s3://` with credentials, without a bucket. */
  readonly url: URL;
  /** SIGSTOP: connections stay open, but nothing answers. */
  freeze(): Promise<void>;
  thaw(): void;
  kill(): Promise<void>;
};

/** A busy machine needs a minute for what otherwise takes four seconds. */
const START_LIMIT_MS = 120_000;

const KEY = "test-key";
const SECRET = "test/secret+";

/** What starts a server, or the reason if none can start here, which skipped tests print. */
export const s3 = await prepareS3();

/** Why a test that needs any S3 server is skipped here; undefined if it can run. */
export const noS3 = "absent" in s3 && !testServerUrl("TEST_S3_URL") ? s3.absent : undefined;

/** Opens the server at `TEST_S3_URL`, which may be shared; without it, starts one. */
export async function openTestS3(): Promise<Pick<S3Server, "url" | "kill">> {
  const url = testServerUrl("TEST_S3_URL");
  return url ? { url: new URL(url), kill: async () => undefined } : startS3Server();
}

/** Starts a server on a free port. It ends with this process at the latest. */
export async function startS3Server(): Promise<S3Server> {
  if ("absent" in s3) throw new Error(s3.absent);
  const folder = await mkdtemp(path.join(os.tmpdir(), "registry-test-s3-"));
  const port = await freePort();
  const settings = {
    "s3proxy.endpoint": `http://127.0.0.1:${port}`,
    "s3proxy.authorization": "aws-v2-or-v4",
    "s3proxy.identity": KEY,
    "s3proxy.credential": SECRET,
    "jclouds.provider": "transient-nio2",
    "jclouds.identity": "unused",
    "jclouds.credential": "unused",
  };
  const file = path.join(folder, "s3.properties");
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(file, lines.join(""));
  const log = `-Dlogback.configurationFile=${path.join(import.meta.dirname, "logback.xml")}`;
  const memory = ["-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"];
  const program = path.join(import.meta.dirname, "S3Server.java");
  const child = spawn(
    javaProgram(s3.jdk),
    [...memory, log, "-cp", s3.classPath, program, "--properties", file],
    { cwd: folder, env: javaEnvironment(s3.jdk.home), stdio: ["pipe", "pipe", "pipe"] },
  );
  child.stdin.on("error", () => undefined);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output = `${output}${chunk}`.slice(-4000);
    });
  await untilItAnswers(child, port, () => output);
  return {
    url: new URL(`s3://${KEY}:${encodeURIComponent(SECRET)}@127.0.0.1:${port}?tls=false`),
    freeze: () => freeze(child.pid as number),
    thaw: () => void process.kill(child.pid as number, "SIGCONT"),
    async kill() {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, "exit");
        child.kill("SIGKILL");
        await exited;
      }
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function untilItAnswers(
  child: ChildProcess,
  port: number,
  output: () => string,
): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    const signal = AbortSignal.timeout(5_000);
    // It refuses a request without a signature, which is an answer.
    if (await fetch(`http://127.0.0.1:${port}/`, { signal }).catch(() => undefined)) return;
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`the S3 server did not start on port ${port}:\n${output()}`);
    }
    await delay(50);
  }
}
