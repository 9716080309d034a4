import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { StageResult } from "./summary.ts";

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, "../..");
const FILE = "tools/test-run/resilience.json";

/** Files that the resilience tests do not depend on: documents, texts and browser code. */
const UNGUARDED = [
  "*.md",
  "LICENSE",
  "docs",
  "packages/content/texts",
  "tools/net/frozen",
  "web-admin/src",
  "web-public/src",
  FILE,
];

/** The last time all resilience tests passed. */
export interface LastPass {
  /** SHA-256 (hex) of the files they guard. */
  readonly files: string;
  readonly passed: number;
  readonly skipped: number;
}

/** Computes the SHA-256 of all guarded files; undefined without git. @param folder of the project. */
export async function hashGuardedFiles(folder = root): Promise<string | undefined> {
  const excluded = UNGUARDED.map((pattern) => `:!${pattern}`);
  const listed = ["ls-files", "-z", "--", ".", ...excluded];
  const stdout = await run("git", listed, { cwd: folder, maxBuffer: 10_000_000 }).then(
    (result) => result.stdout,
    () => undefined,
  );
  if (stdout === undefined) return undefined;
  const hash = createHash("sha256");
  for (const file of stdout.split("\0").filter(Boolean).sort()) {
    const content = await readFile(path.join(folder, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** Returns undefined if they have never passed. */
export async function readLastPass(folder = root): Promise<LastPass | undefined> {
  const text = await readFile(path.join(folder, FILE), "utf8").catch(() => undefined);
  return text ? JSON.parse(text) : undefined;
}

/** Writes nothing if a test failed or none ran. */
export async function writeLastPass(
  { passed, failed, skipped }: StageResult,
  folder = root,
): Promise<void> {
  if (failed.length > 0 || passed === 0) return;
  const files = await hashGuardedFiles(folder);
  if (!files) return;
  const pass: LastPass = { files, passed, skipped: skipped.length };
  await writeFile(path.join(folder, FILE), `${JSON.stringify(pass, null, 2)}\n`);
}
