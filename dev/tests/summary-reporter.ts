import { writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";
import type { StageResult } from "./summary.ts";

/** Vitest reporter that leaves the counts of a run, and why tests were skipped, in a JSON file. */
export class SummaryReporter implements Reporter {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const result: StageResult = { passed: 0, failed: unhandledErrors.length, skipped: [] };
    for (const module of modules) {
      const failedBefore = result.failed;
      for (const test of module.children.allTests()) {
        const outcome = test.result();
        if (outcome.state === "passed") result.passed++;
        else if (outcome.state === "skipped")
          result.skipped.push({
            test: `${module.project.name} > ${module.relativeModuleId} > ${test.fullName}`,
            reason: outcome.note ?? "no reason given",
          });
        // "pending": the run ended before this test did.
        else result.failed++;
      }
      // A file that does not load, or a hook that fails, leaves no failed test to count.
      if (!module.ok() && result.failed === failedBefore) result.failed++;
    }
    writeFileSync(this.#file, JSON.stringify(result));
  }
}
