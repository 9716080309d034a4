import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type FilesResult, sumFiles } from "#tools/test-run/summary.ts";
import { NO_BROWSER } from "./support/browser.ts";
import { plainEnvironment } from "./support/config.ts";

const root = path.resolve(import.meta.dirname, "..");
let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(path.join(os.tmpdir(), "registry-no-browser-"));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

it("browser tests are skipped, with that reason, without Chromium", async () => {
  const summary = path.join(scratch, "summary.json");
  const files = ["e2e/site-accessibility.e2e.test.ts", "e2e/console.e2e.test.ts"];
  const stage = ["tools/test-run/vitest-stage.ts", "e2e", summary, ...files];
  await promisify(execFile)(process.execPath, stage, {
    cwd: root,
    env: { ...plainEnvironment(), CHROMIUM_PATH: path.join(scratch, "chromium") },
  });
  const result: FilesResult = JSON.parse(await readFile(summary, "utf8"));
  expect(result.files.map(({ file }) => file).sort()).toEqual(files.sort());
  expect(sumFiles(result)).toMatchObject({ passed: 0, failed: [] });
  for (const { skipped } of result.files) {
    expect(skipped.length).toBeGreaterThan(0);
    for (const { reason } of skipped) expect(reason).toBe(NO_BROWSER);
  }
});
