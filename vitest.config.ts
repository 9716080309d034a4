import os from "node:os";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "#tools/test-run/longest-first.ts";

/**
 * Where Node.js keeps what it made of the programs that tests start over and over: to read and
 * compile all of a service's modules again takes longer than everything else of its start.
 */
const env = {
  NODE_COMPILE_CACHE: path.join(import.meta.dirname, "node_modules/.cache/programs-of-tests"),
};
const exclude = ["**/node_modules/**", "**/dist/**"];

/** Three kinds of tests, told apart by the name of the file (CONTRIBUTING.md). */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "unit",
          include: ["**/*.unit.test.ts", "**/*.unit.test.tsx"],
          exclude,
          environment: "node",
          // Without I/O there is nothing that a file could leave behind but mocks, which are undone
          // here; loading every module again for each file takes longer than the tests themselves.
          isolate: false,
          restoreMocks: true,
          unstubGlobals: true,
          unstubEnvs: true,
        },
      },
      {
        test: {
          name: "int",
          include: ["**/*.int.test.ts"],
          exclude,
          env,
          globalSetup: [
            "packages/test-kit/postgres-server.ts",
            "packages/test-kit/search-node-on-demand.ts",
          ],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // Much of their time is waiting, for servers that start, stop or are gone.
          // They share one PostgreSQL and its connections.
          maxWorkers: Math.min(4, Math.max(3, os.availableParallelism() - 1)),
        },
      },
      {
        test: {
          name: "e2e",
          include: ["e2e/**/*.e2e.test.ts"],
          exclude,
          globalSetup: ["e2e/support/build-web-apps.ts"],
          // Each file has its own folders, ports and servers.
          maxWorkers: 2,
          // How long something is waited for on a slow machine, not how long it should take.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
    ],
  },
});
