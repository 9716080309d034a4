import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { hashGuardedFiles, readLastPass, writeLastPass } from "./last-pass.ts";

const GUARDED = "services/mailer.ts";
const UNGUARDED = [
  "docs/a.svg",
  "web-admin/src/a.ts",
  "web-public/src/a.ts",
  "tools/test-run/resilience.json",
];
let folder: string;
let noGit: string | undefined;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "registry-last-pass-"));
  for (const file of [GUARDED, ...UNGUARDED]) await write(file, "{}");
  for (const args of [
    ["init", "-q"],
    ["add", "."],
  ])
    if (spawnSync("git", args, { cwd: folder }).error) noGit = "Git is not installed";
});
beforeEach((context) => context.skip(noGit !== undefined, noGit));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeFile(path.join(folder, file), text);
}

it("detects a change to a guarded file and no other", async () => {
  const before = await hashGuardedFiles(folder);
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  for (const file of UNGUARDED) await write(file, "[]");
  expect(await hashGuardedFiles(folder)).toBe(before);
  await write(GUARDED, "[]");
  expect(await hashGuardedFiles(folder)).not.toBe(before);
});

it("is written after a run in which tests ran and none failed", async () => {
  await rm(path.join(folder, "tools/test-run/resilience.json"));
  const skip = { test: "Redis is away", reason: "no Redis" };
  const green = { passed: 3, failed: [], skipped: [skip] };
  const failed = [{ test: "a disk is full", message: "timed out" }];
  await writeLastPass({ ...green, failed }, folder);
  await writeLastPass({ ...green, passed: 0 }, folder);
  expect(await readLastPass(folder)).toBeUndefined();
  await writeLastPass(green, folder);
  const files = await hashGuardedFiles(folder);
  expect(await readLastPass(folder)).toEqual({ files, passed: 3, skipped: 1 });
});
