import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  type ContainerServer,
  containerServers,
  fetchImage,
  findContainers,
  startServer,
} from "#tools/test-run/containers.ts";
import { plainEnvironment } from "./support/config.ts";

const root = path.resolve(import.meta.dirname, "..");
/** Milliseconds for fetching an image and running a suite on a busy machine. */
const TIMEOUT_MS = 1_800_000;

const containers = await findContainers();

/** Runs the server's suites in a separate run, which finds the server through its variable. */
async function runSuites({ variable, suites }: ContainerServer, url: string) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "registry-containers-"));
  const file = path.join(folder, "result.json");
  try {
    const child = spawn(
      process.execPath,
      [
        "node_modules/vitest/vitest.mjs",
        ...["run", "--project", "resilience", "--reporter=json", `--outputFile=${file}`],
        ...suites,
      ],
      { cwd: root, env: { ...plainEnvironment(), [variable]: url }, stdio: "inherit" },
    );
    await once(child, "exit");
    const result = JSON.parse(await readFile(file, "utf8")) as {
      numPassedTests: number;
      testResults: { assertionResults: { status: string; fullName: string }[] }[];
    };
    const tests = result.testResults.flatMap(({ assertionResults }) => assertionResults);
    return {
      passed: result.numPassedTests,
      failed: tests.filter(({ status }) => status === "failed").map(({ fullName }) => fullName),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe("the adapters on servers in containers", () => {
  for (const server of containerServers)
    it(`pass their suites on ${server.service}`, { timeout: TIMEOUT_MS }, async ({ skip }) => {
      for (const suite of server.suites)
        expect(existsSync(path.join(root, suite)), suite).toBe(true);
      const absent =
        typeof containers === "string" ? containers : await fetchImage(containers, server);
      if (absent) {
        // Reporters count skipped tests but print no reason.
        console.warn(`${server.service}: skipped, ${absent}`);
        return skip(absent);
      }
      const { container, url } = await startServer(server);
      try {
        const { passed, failed } = await runSuites(server, url);
        expect(failed).toEqual([]);
        // A suite that does not find its server skips itself, which would prove nothing.
        expect(passed).toBeGreaterThan(5);
      } finally {
        await container.stop();
      }
    });
});
