import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { StageResult } from "./summary.ts";

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, "../..");
const FILE = path.join(root, "tools/test-run/resilience.json");

/** What the resilience tests cannot notice a change of: documents, texts and what browsers run. */
const UNGUARDED = [
  "*.md",
  "LICENSE",
  "docs",
  "packages/content/texts",
  "web-admin/src",
  "web-public/src",
  "tools/test-run/resilience.json",
];

/** The last time that all resilience tests passed. */
export interface LastPass {
  /** SHA-256 of the files that they guard, in hexadecimal. */
  readonly files: string;
  readonly passed: number;
  readonly skipped: number;
}

/**
 * SHA-256 of the names and contents of all files under version control that the tests guard;
 * undefined where git cannot tell which these are.
 */
export async function hashGuardedFiles(): Promise<string | undefined> {
  const excluded = UNGUARDED.map((pattern) => `:!${pattern}`);
  const listed = ["ls-files", "-z", "--", ".", ...excluded];
  const stdout = await run("git", listed, { cwd: root, maxBuffer: 10_000_000 }).then(
    (result) => result.stdout,
    () => undefined,
  );
  if (stdout === undefined) return undefined;
  const hash = createHash("sha256");
  for (const file of stdout.split("\0").filter(Boolean).sort()) {
    const content = await readFile(path.join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** Undefined if they have never passed. */
export async function readLastPass(): Promise<LastPass | undefined> {
  const text = await readFile(FILE, "utf8").catch(() => undefined);
  return text ? JSON.parse(text) : undefined;
}

export async function writeLastPass({ passed, skipped }: StageResult): Promise<void> {
  const files = await hashGuardedFiles();
  if (!files) return;
  const pass: LastPass = { files, passed, skipped: skipped.length };
  await writeFile(FILE, `${JSON.stringify(pass, null, 2)}\n`);
}
