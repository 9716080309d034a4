/**
 * `npm run faults [-- <number>...]`: applies each small fault in this folder, one at a time, to a copy of the
 * last commit, and checks that the test it names fails. It ends with a table, and with exit code 1 unless
 * every fault was caught and every named test passes without a fault.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

interface Fault {
  /** File name without its extension. */
  readonly name: string;
  readonly patch: string;
  readonly promise: string;
  readonly test: string;
  /** Runs only the file's tests whose full names contain this. */
  readonly only: string | undefined;
}

/** The parts used here of vitest's JSON report. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const root = path.resolve(import.meta.dirname, "../..");
const chosen = process.argv.slice(2).map(Number);
const faults = (await readFaults()).filter(
  ({ name }) => chosen.length === 0 || chosen.includes(Number.parseInt(name, 10)),
);
const scratch = await realpath(await mkdtemp(path.join(os.tmpdir(), "registry-faults-")));
const tree = path.join(scratch, "tree");
const problems: string[] = [];
try {
  git(root, "worktree", "add", "--quiet", "--detach", tree, "HEAD");
  // Hard links, because the image process may not read through symbolic links.
  const linked = spawnSync("cp", ["-al", path.join(root, "node_modules"), tree]);
  if (linked.status !== 0) throw new Error(`cp -al failed: ${linked.stderr}`);
  for (const fault of faults) {
    const outcome = await tryFault(fault);
    if (!outcome.startsWith("caught")) problems.push(`${fault.name}: ${outcome}`);
    console.log(`${fault.name}\n  ${fault.promise}\n  ${outcome}`);
  }
  problems.push(...(await unpatched()));
} finally {
  git(root, "worktree", "remove", "--force", tree);
  await rm(scratch, { recursive: true, force: true });
}
console.log(`\n${faults.length} faults, ${problems.length} problems`);
for (const problem of problems) console.log(problem);
process.exitCode = faults.length === 0 || problems.length > 0 ? 1 : 0;

async function readFaults(): Promise<Fault[]> {
  const files = await readdir(import.meta.dirname);
  const patches = files.filter((file) => file.endsWith(".patch"));
  return Promise.all(
    patches.sort(new Intl.Collator("en", { numeric: true }).compare).map(async (file) => {
      const patch = path.join(import.meta.dirname, file);
      const text = await readFile(patch, "utf8");
      const promise = /^Promise: (.+)$/m.exec(text)?.[1];
      const [, test, only] = /^Test: (\S+)(?: -t "(.+)")?$/m.exec(text) ?? [];
      if (!promise || !test) throw new Error(`${file} does not name its promise and its test`);
      return { name: path.basename(file, ".patch"), patch, promise, test, only };
    }),
  );
}

/** Runs the named test with the fault, then reverts the fault. */
async function tryFault({ patch, test, only }: Fault): Promise<string> {
  if (!git(tree, "apply", patch)) return "does not apply";
  const report = await run([test], only);
  git(tree, "checkout", "--quiet", ".");
  const tests = report?.testResults.flatMap(({ assertionResults }) => assertionResults) ?? [];
  if (tests.length === 0) return "NOT CAUGHT: the test did not run";
  const failed = tests.find(({ status }) => status === "failed");
  if (failed) return `caught by ${test}: ${failed.fullName}`;
  return tests.some(({ status }) => status === "passed") ? "NOT CAUGHT" : "NOT CAUGHT: skipped";
}

/** Returns the named test files that fail without a fault. */
async function unpatched(): Promise<string[]> {
  const files = [...new Set(faults.map(({ test }) => test))];
  const problems: string[] = [];
  for (const project of new Set(files.map(projectOf))) {
    const wanted = files.filter((file) => projectOf(file) === project);
    const report = await run(wanted);
    for (const file of wanted) {
      const result = report?.testResults.find(({ name }) => name === path.join(tree, file));
      if (result?.status !== "passed") problems.push(`${file} fails without a fault`);
    }
  }
  return problems;
}

async function run(files: readonly string[], only?: string): Promise<Report | undefined> {
  const project = projectOf(files[0] as string);
  const output = path.join(scratch, "report.json");
  const name = only ? ["-t", only.replace(/[^\w\s]/g, "\\$&")] : [];
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--project", project, ...name];
  const report = ["--reporter", "json", "--outputFile", output];
  await rm(output, { force: true });
  spawnSync(process.execPath, [...vitest, ...report, ...files], { cwd: tree, stdio: "ignore" });
  return existsSync(output) ? (JSON.parse(await readFile(output, "utf8")) as Report) : undefined;
}

function projectOf(file: string): string {
  return /\.(unit|int|resilience|e2e)\.test\.tsx?$/.exec(file)?.[1] ?? "unit";
}

function git(cwd: string, ...args: string[]): boolean {
  return spawnSync("git", args, { cwd, stdio: ["ignore", "ignore", "inherit"] }).status === 0;
}
