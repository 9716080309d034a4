import path from "node:path";
import { defineConfig } from "vitest/config";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** The drill is run by hand: it takes a quarter of an hour, and its numbers depend on the machine. */
export default defineConfig({
  test: {
    root: ROOT,
    include: ["e2e/drill/*.drill.ts"],
    // One registry at a time: each uses the whole machine.
    fileParallelism: false,
    globalSetup: ["e2e/support/build-apps.ts"],
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
  },
});
