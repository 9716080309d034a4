import { writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";
import type { FileResult, FilesResult } from "./summary.ts";

/** Vitest reporter that leaves the counts of each file, and why tests were skipped, as a {@link FilesResult} in JSON. */
export class SummaryReporter implements Reporter {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const result: FilesResult = {
      files: modules.map(countTests),
      unhandled: unhandledErrors.length,
    };
    writeFileSync(this.#file, JSON.stringify(result));
  }
}

function countTests(module: TestModule): FileResult {
  const file = module.relativeModuleId;
  const result: FileResult = { file, passed: 0, failed: 0, skipped: [] };
  for (const test of module.children.allTests()) {
    const outcome = test.result();
    if (outcome.state === "passed") result.passed++;
    else if (outcome.state === "skipped")
      result.skipped.push({
        test: `${module.project.name} > ${file} > ${test.fullName}`,
        reason: outcome.note ?? "no reason given",
      });
    // "pending": the run ended before this test did.
    else result.failed++;
  }
  // A file that does not load, or a hook that fails, leaves no failed test to count.
  if (!module.ok() && result.failed === 0) result.failed++;
  return result;
}
