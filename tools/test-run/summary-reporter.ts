import { writeFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import type { Reporter, SerializedError, TestModule } from "vitest/node";
import type { Failure, FileResult, FilesResult } from "./summary.ts";

/** A Vitest reporter that writes each file's result, failures and skips as a {@link FilesResult} in JSON. */
export class SummaryReporter implements Reporter {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const result: FilesResult = {
      files: modules.map(countTests),
      unhandled: unhandledErrors.map((error) => failure("an unhandled error", [error])),
    };
    writeFileSync(this.#file, JSON.stringify(result));
  }
}

function countTests(module: TestModule): FileResult {
  const file = module.relativeModuleId;
  const nameOf = (test?: string) => [module.project.name, file, test].filter(Boolean).join(" > ");
  const ms = module.diagnostic().duration;
  const result: FileResult = { file, ms, passed: 0, failed: [], skipped: [] };
  for (const test of module.children.allTests()) {
    const outcome = test.result();
    if (outcome.state === "passed") result.passed++;
    else if (outcome.state === "skipped")
      result.skipped.push({
        test: nameOf(test.fullName),
        reason: outcome.note ?? "no reason given",
      });
    // "pending": the run ended before this test did.
    else result.failed.push(failure(nameOf(test.fullName), outcome.errors));
  }
  // A file that fails to load, or a failing hook, leaves no failed test to count.
  if (!module.ok() && result.failed.length === 0)
    result.failed.push(failure(nameOf(), errorsOutsideTests(module)));
  return result;
}

function errorsOutsideTests(module: TestModule): SerializedError[] {
  const suites = [...module.children.allSuites()];
  return [...module.errors(), ...suites.flatMap((suite) => suite.errors())];
}

function failure(test: string, errors: readonly SerializedError[] | undefined): Failure {
  const [message = ""] = stripVTControlCharacters(errors?.[0]?.message ?? "").split("\n");
  return { test, message: message || "no message" };
}
