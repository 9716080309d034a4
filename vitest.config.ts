import path from "node:path";
import { defineConfig } from "vitest/config";
import { SlowestFirst } from "./tools/test-run/slowest-first.ts";

/**
 * Node's compile cache for the processes that run test files, and for programs that tests start repeatedly.
 * Compiling all modules of a service takes longer than the rest of its start.
 */
const env = {
  NODE_COMPILE_CACHE: path.join(import.meta.dirname, "node_modules/.cache/programs-of-tests"),
};
Object.assign(process.env, env);
const exclude = ["**/node_modules/**", "**/dist/**"];

/** Generous time limits for a slow machine, not expected durations. */
const PATIENT = {
  testTimeout: 60_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 30_000 } },
};

/** Four kinds of tests, distinguished by file name (CONTRIBUTING.md). */
export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        test: {
          name: "unit",
          include: ["**/*.unit.test.ts", "**/*.unit.test.tsx"],
          exclude,
          environment: "node",
          ...PATIENT,
          // Unit tests do no I/O, so a file can leave behind only mocks, which are restored here. Reloading
          // every module for each file takes longer than the tests themselves.
          isolate: false,
          // The default leaves one core idle.
          maxWorkers: "100%",
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
          globalSetup: ["packages/test-kit/postgres-server.ts", "e2e/support/build-apps.ts"],
          ...PATIENT,
          // A file closes what it opens, so it leaves behind only mocks, which are restored here. Reloading a
          // service's modules takes longer than the tests of many files.
          isolate: false,
          restoreMocks: true,
          unstubGlobals: true,
          unstubEnvs: true,
          // These tests spend half of their time waiting for servers to start or stop, or for timeouts. They
          // share one PostgreSQL and its connections.
          maxWorkers: 4,
        },
      },
      {
        test: {
          name: "resilience",
          include: ["**/*.resilience.test.ts"],
          exclude,
          env,
          globalSetup: [
            "packages/test-kit/postgres-server.ts",
            "packages/test-kit/search-node-on-demand.ts",
            "e2e/support/build-apps.ts",
          ],
          restoreMocks: true,
          unstubGlobals: true,
          unstubEnvs: true,
          maxWorkers: 3,
          ...PATIENT,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["e2e/**/*.e2e.test.ts"],
          exclude,
          env,
          globalSetup: [
            "e2e/support/build-apps.ts",
            "e2e/support/registries-on-demand.ts",
            "tools/pictures/stage-on-demand.ts",
          ],
          setupFiles: ["e2e/support/each-file.ts"],
          // The files of a process share a browser and a registry (e2e/support/shared.ts).
          isolate: false,
          restoreMocks: true,
          unstubGlobals: true,
          unstubEnvs: true,
          maxWorkers: 3,
          ...PATIENT,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
