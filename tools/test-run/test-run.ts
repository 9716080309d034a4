/**
 * `npm test`, `npm run check` and `npm run test:resilience`: run the stages one after the other and stream their
 * output, then print the slowest files, the failures and a summary line. A stage that crashes or runs nothing
 * counts as failed. `check` also counts the lines.
 *
 * `node tools/test-run/test-run.ts [check|resilience] [--allowed-skips <file>] [--unless-unchanged]`: with a list
 * of allowed skips, any other skip also fails the run. When the resilience tests pass, they record the files
 * they passed on; with `--unless-unchanged` they run only if these have changed.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { sizeTable } from "../count-lines.ts";
import { hashGuardedFiles, readLastPass, writeLastPass } from "./last-pass.ts";
import {
  type AllowedSkip,
  closingLine,
  crashed,
  type FileResult,
  type FilesResult,
  failureLines,
  forbiddenSkips,
  parseAllowedSkips,
  type StageResult,
  skipLines,
  slowestLines,
  sum,
  sumFiles,
} from "./summary.ts";

const root = path.resolve(import.meta.dirname, "../..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "allowed-skips": { type: "string" },
    "unless-unchanged": { type: "boolean" },
  },
});
const scope = positionals[0] ?? "all";
if (!["all", "check", "resilience"].includes(scope)) throw new Error(`unknown scope ${scope}`);
const allowed = await readAllowedSkips(values["allowed-skips"]);
const lastPass = scope === "resilience" ? await readLastPass() : undefined;
if (values["unless-unchanged"] && lastPass && lastPass.files === (await hashGuardedFiles())) {
  const { passed, skipped } = lastPass;
  console.log(`Nothing has changed since ${passed} resilience tests passed (${skipped} skipped).`);
  process.exit();
}

const started = performance.now();
const scratch = await mkdtemp(path.join(os.tmpdir(), "registry-test-run-"));
const results: StageResult[] = [];
const files: FileResult[] = [];
try {
  if (scope === "resilience") {
    results.push(await vitestStage("resilience"));
  } else {
    results.push(
      await programStage(
        "lint",
        ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."],
        ["tools/lint/architecture.ts"],
      ),
    );
    results.push(await programStage("types", ["node_modules/typescript/bin/tsc", "--noEmit"]));
    results.push(await vitestStage("unit"));
    if (scope === "all") {
      results.push(await vitestStage("int"));
      results.push(await vitestStage("e2e"));
    }
  }
} finally {
  await rm(scratch, { recursive: true, force: true });
}

const total = sum(results);
const forbidden = allowed ? forbiddenSkips(total.skipped, allowed) : [];
const failed = total.failed.length > 0 || total.passed === 0 || forbidden.length > 0;
console.log();
if (scope === "check") for (const line of [...sizeTable(), ""]) console.log(line);
for (const line of skipLines(total.skipped)) console.log(line);
for (const line of slowestLines(files)) console.log(line);
for (const { test } of forbidden) console.log(`Not allowed to be skipped: ${test}`);
for (const line of failureLines(total.failed)) console.log(line);
const minutes = ((performance.now() - started) / 60_000).toFixed(1);
console.log(`${closingLine(total)}, ${minutes} minutes`);
if (scope === "resilience" && forbidden.length === 0) await writeLastPass(total);
process.exitCode = failed ? 1 : 0;

/** Runs programs that pass or fail as a whole; later ones run even if an earlier one fails. */
async function programStage(name: string, ...programs: string[][]): Promise<StageResult> {
  const codes: (number | null)[] = [];
  for (const args of programs) codes.push(await runStage(name, args));
  const passed = codes.every((code) => code === 0);
  return passed ? { passed: 1, failed: [], skipped: [] } : crashed(name, "see what it printed");
}

async function vitestStage(project: string): Promise<StageResult> {
  const result = await runVitest(project);
  if (!result) return crashed(project, "ended without a result");
  files.push(...result.files);
  return sumFiles(result);
}

/** Returns undefined if vitest left no result. */
async function runVitest(project: string): Promise<FilesResult | undefined> {
  const summary = path.join(scratch, `${project}.json`);
  const code = await runStage(project, ["tools/test-run/vitest-stage.ts", project, summary]);
  if (!existsSync(summary)) return undefined;
  const result = JSON.parse(await readFile(summary, "utf8")) as FilesResult;
  const { passed, failed, skipped } = sumFiles(result);
  const ranNothing = passed + failed.length + skipped.length === 0;
  if (!ranNothing && (code === 0 || failed.length > 0)) return result;
  const message = ranNothing ? "ran no tests" : `ended with ${code ?? "a signal"}`;
  return { ...result, unhandled: [...result.unhandled, { test: project, message }] };
}

/** Runs a Node program from the project root; resolves with its exit code, null after a signal. */
function runStage(name: string, args: string[]): Promise<number | null> {
  console.log(`\n== ${name}`);
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit" });
    child.on("error", (error) => {
      console.error(`${name} could not be run: ${error.message}`);
      resolve(1);
    });
    child.on("exit", (code, signal) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`== ${name}: ${code === 0 ? "ok" : `failed (${signal ?? code})`}, ${seconds} s`);
      resolve(code);
    });
  });
}

async function readAllowedSkips(file: string | undefined): Promise<AllowedSkip[] | undefined> {
  return file ? parseAllowedSkips(await readFile(path.resolve(root, file), "utf8")) : undefined;
}
